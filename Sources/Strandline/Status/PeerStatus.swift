public import EventLog

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a store and one of its peers stand.
public struct PeerStatus: Sendable {
    /// What the two are doing.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Nothing: it may come, or be asked.
        case away
        case connected
        /// Connected, and something is on its way.
        case syncing
        /// The last attempt failed; see ``PeerStatus/nextAttempt``.
        case waiting
        /// It is not tried any more, for it would never succeed.
        case givenUp
    }

    /// Where it is, or what it was called when it was last heard of.
    public let name: String
    /// The id under which it writes, once that is known.
    public let replica: ReplicaID?
    public let phase: Phase
    /// What it has acknowledged to have, durably; nil before it ever did.
    public let acknowledged: HistoryToken?
    /// How many transactions of this store it has not acknowledged: all of them, if it never acknowledged any.
    public let lag: UInt64
    /// About how many bytes those are, by the average of what the log holds.
    public let lagBytes: UInt64
    /// When it was last heard of, or something was last exchanged with it as it should be.
    public let lastSuccess: Date?
    /// Why the last attempt failed, unless one has succeeded since.
    public let lastError: StoreError?
    /// When it is tried again.
    public let nextAttempt: Date?
    /// Since when it lacks something without having been heard of; nil while that is less than ``patience``.
    public let stalledSince: Date?
    /// Whether it has been silent for thirty days, so that it holds up no trim.
    public let hasLapsed: Bool

    /// Seconds after which who lacks something is said to be stalled.
    public static let patience: Double = 60

    /// What to do about it; nil where nothing is to be done.
    public var advice: String? {
        if let lastError { return Self.advice(on: lastError.code) }
        if hasLapsed { return "if it will not come back, let it go with 'forget'" }
        guard stalledSince != nil else { return nil }
        return "see whether it runs and can be reached"
    }

    package static func advice(on code: StoreError.Code) -> String {
        switch code {
        case .untrusted: "let each of the two trust the other's device id ('device', 'trust')"
        case .wrongDataset: "sync with a replica of this dataset; 'info' tells which one a store is of"
        case .unsupportedVersion: "use the newer version on both sides"
        case .badPeer: "check the address, and that both sides run versions that know each other"
        case .peerUnreachable: "see whether it runs and can be reached; it is tried again by itself"
        case .refusedByPeer: "see what it says itself, with 'log' and 'status' there"
        case .corrupt: "verify the store, and repair it from a replica"
        case .storage: "see to the disk: its room, its permissions, whether it is there"
        case .historyExpired: "let the two meet directly, so that one gives the other a baseline"
        case .interrupted, .busy: "nothing: it goes on where it was"
        default: "see 'log' for what led to it"
        }
    }
}
