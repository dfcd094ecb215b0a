import EventLog
import Interchange
import Strandline

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One peer, as `status` shows it.
struct StatusLine {
    let name: String
    let error: String?
    private let replica: ReplicaID?
    private let phase: PeerStatus.Phase
    private let lag: UInt64?
    private let lagBytes: UInt64?
    private let lastSuccess: UInt64?
    private let stalledSince: UInt64?
    private let advice: String?

    /// A peer that the store knows of.
    init(_ status: PeerStatus, _ note: PeerNotes.Note?) {
        name = status.name
        replica = status.replica
        phase = status.phase == .away && note?.isConnected == true ? .connected : status.phase
        (lag, lagBytes) = (status.lag, status.lagBytes)
        lastSuccess = [status.lastSuccess.map(Self.milliseconds), note?.lastSuccess].compactMap(\.self).max()
        stalledSince = status.stalledSince.map(Self.milliseconds)
        error = status.lastError?.code.rawValue ?? note?.error?.code
        advice = status.advice ?? error.flatMap(StoreError.Code.init(rawValue:)).map(PeerStatus.advice(on:))
    }

    /// A peer that only other processes know of: it has never acknowledged anything.
    init(_ name: String, _ note: PeerNotes.Note?) {
        self.name = name
        replica = nil
        phase = note?.isConnected == true ? .connected : .away
        (lag, lagBytes, stalledSince) = (nil, nil, nil)
        lastSuccess = note?.lastSuccess
        error = note?.error?.code
        advice = error.flatMap(StoreError.Code.init(rawValue:)).map(PeerStatus.advice(on:))
    }

    private static func milliseconds(_ date: Date) -> UInt64 { UInt64(max(0, date.timeIntervalSince1970 * 1_000)) }

    var texts: [String] {
        var facts = [phase.rawValue]
        switch lag {
        case nil: break
        case 0: facts.append("has everything")
        case let lag?:
            let bytes = ProgressLine.bytes(lagBytes ?? 0)
            facts.append("lacks \(ProgressLine.counted(Int(clamping: lag), "transaction")), about \(bytes)")
        }
        if let lastSuccess { facts.append("last heard of \(DateArgument.text(lastSuccess))") }
        if let stalledSince { facts.append("stalled since \(DateArgument.text(stalledSince))") }
        if let error { facts.append("error: \(error)") }
        var texts = ["\(name)  " + facts.joined(separator: "; ")]
        if let advice { texts.append("  \(advice)") }
        return texts
    }

    var json: JSONValue {
        func time(_ milliseconds: UInt64?) -> JSONValue { milliseconds.map { .string(DateArgument.text($0)) } ?? .null }
        return .object([
            JSONMember("peer", .string(name)), JSONMember("replica", replica.map { .string($0.description) } ?? .null),
            JSONMember("phase", .string(phase.rawValue)),
            JSONMember("lag", lag.map { .integer(Int64(clamping: $0)) } ?? .null),
            JSONMember("lagBytes", lagBytes.map { .integer(Int64(clamping: $0)) } ?? .null),
            JSONMember("lastSuccess", time(lastSuccess)), JSONMember("stalledSince", time(stalledSince)),
            JSONMember("error", error.map { .string($0) } ?? .null), JSONMember("advice", advice.map { .string($0) } ?? .null),
        ])
    }
}
