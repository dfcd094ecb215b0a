// Invariant: `merged` is guarded by its mutex. What a peer brought or took within a second of the record before is told with the next one, or at
// the end of its connection; so a peer that commits a thousand times a second does not fill the files.

import EventLog
import Storage
import SyncProtocol
import Synchronization
import Transports

/// Notes what is exchanged with peers.
final class SyncNotes: Sendable {
    private struct Key: Hashable {
        var peer: String
        var kind: RecordKind
    }

    private struct Sum {
        var events = 0
        var transactions = 0
        var bytes: UInt64 = 0
        var blobs = 0
        var last: UInt64
        var replica: ReplicaID?
    }

    private static let interval: UInt64 = 1_000_000_000

    private let records: RecordLog
    private let clock: any WallClock
    private let merged = Mutex<[Key: Sum]>([:])

    init(_ records: RecordLog, _ clock: any WallClock) {
        self.records = records
        self.clock = clock
    }

    func note(_ event: SyncEvent) {
        guard records.isWritten else { return }
        if event.ended == nil {
            if event.kind == .setup { records.note(.connecting, .peer(event.peer)) }
            return
        }
        if let error = event.error { return noteFailure(event, error) }
        switch event.kind {
        case .setup: records.note(.peerConnected, Self.facts(event))
        case .import: add(event, .imported)
        case .export: add(event, .exported)
        }
    }

    /// Notes the end of a connection, with all that was exchanged over it.
    func note(_ outcome: ConnectionOutcome, with replica: ReplicaID?) {
        guard records.isWritten else { return }
        tell(of: outcome.peer)
        let progress = outcome.progress
        var facts = [RecordField.peer(outcome.peer)]
        if let replica { facts.append(.replica(replica)) }
        facts += [
            .count(.transactionsSent, progress.transactionsSent), .count(.transactionsReceived, progress.received.new),
            .count(.bytesSent, progress.bytesSent), .count(.bytesReceived, progress.bytesReceived),
            .count(.blobsSent, progress.blobsSent), .count(.blobsReceived, progress.blobsReceived),
        ]
        if progress.baselineBytesSent > 0 {
            records.note(.baselineOffered, .peer(outcome.peer), .bytes(progress.baselineBytesSent))
        }
        records.note(.peerEnded, facts, error: outcome.error, level: outcome.error == nil ? .info : .notice)
    }

    /// Notes an exchange with a store's directory, which has no connection.
    func note(_ report: ExchangeReport, of peer: String) {
        guard records.isWritten else { return }
        for (kind, traffic) in [(RecordKind.imported, report.imported), (.exported, report.published)]
        where traffic.transactions + traffic.blobs > 0 {
            let bytes = traffic.bytes + traffic.blobBytes
            records.note(
                kind, .peer(peer), .transactions(traffic.transactions), .bytes(bytes), .blobs(traffic.blobs),
                .count(.exchanges, 1))
        }
    }

    private func noteFailure(_ event: SyncEvent, _ error: StoreError) {
        let kind: RecordKind =
            switch (event.kind, error.code) {
            case (.setup, .untrusted), (.setup, .wrongDataset), (.setup, .badPeer), (.setup, .refusedByPeer): .peerRefused
            case (.setup, _): .connectingFailed
            case (.import, _): .importFailed
            case (.export, _): .exportFailed
            }
        records.note(kind, Self.facts(event), error: error)
    }

    private static func facts(_ event: SyncEvent) -> [RecordField] {
        var facts = [RecordField.peer(event.peer)]
        if let replica = event.replica { facts.append(.replica(replica)) }
        if let seconds = event.seconds, seconds >= 0, seconds < 1e9 {
            facts.append(.nanoseconds(.milliseconds, UInt64(seconds * 1e9)))
        }
        return facts
    }

    private func add(_ event: SyncEvent, _ kind: RecordKind) {
        let now = clock.monotonic()
        let due = merged.withLock { merged -> Sum? in
            let key = Key(peer: event.peer, kind: kind)
            var sum = merged[key] ?? Sum(last: 0)
            sum.events += 1
            sum.transactions += event.transactions
            sum.bytes += event.bytes
            sum.blobs += event.blobs
            sum.replica = event.replica ?? sum.replica
            guard sum.last == 0 || now &- sum.last >= Self.interval else {
                merged[key] = sum
                return nil
            }
            merged[key] = Sum(last: now)
            return sum
        }
        if let due { tell(due, event.peer, kind) }
    }

    /// Tells what is left of a peer.
    private func tell(of peer: String) {
        for kind in [RecordKind.imported, .exported] {
            let sum = merged.withLock { $0.removeValue(forKey: Key(peer: peer, kind: kind)) }
            if let sum, sum.events > 0 { tell(sum, peer, kind) }
        }
    }

    private func tell(_ sum: Sum, _ peer: String, _ kind: RecordKind) {
        var facts = [RecordField.peer(peer)]
        if let replica = sum.replica { facts.append(.replica(replica)) }
        records.note(
            kind,
            facts + [
                .transactions(sum.transactions), .bytes(sum.bytes), .blobs(sum.blobs), .count(.exchanges, sum.events),
            ])
    }
}
