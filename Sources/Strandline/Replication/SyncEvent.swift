public import EventLog

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something a store does with a peer: it is told twice, when it begins and when it has ended.
///
/// ```swift
/// for await event in store.syncEvents() where event.kind == .import && event.ended != nil { print(event) }
/// ```
public struct SyncEvent: Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The peer is being connected to, and the two find out whether they belong together.
        case setup
        /// What the peer has and this store lacks comes in. It has ended when all of it is durable here.
        case `import`
        /// What this store has and the peer lacks goes out. It has ended when all of it is durable there.
        case export
    }

    public var kind: Kind
    /// The directory of the store.
    public var store: String
    /// Where the peer is: `unix:/run/posts`.
    public var peer: String
    /// The id under which the peer writes, once that is known.
    public var replica: ReplicaID?
    public var started: Date
    /// When it ended; nil when this tells of its beginning.
    public var ended: Date?
    public var transactions = 0
    /// Bytes that went over the wire meanwhile, in the direction of the event.
    public var bytes: UInt64 = 0
    public var blobs = 0
    /// Why it ended too early.
    public var error: StoreError?

    /// An event that failed before it came to anything; times in milliseconds since 1970.
    init(failed kind: Kind, store: String, peer: String, started: UInt64, ended: UInt64, _ error: any Error) {
        self.init(kind: kind, store: store, peer: peer, started: Date(timeIntervalSince1970: Double(started) / 1_000))
        self.ended = Date(timeIntervalSince1970: Double(ended) / 1_000)
        self.error = StoreError.of(error)
    }

    init(kind: Kind, store: String, peer: String, replica: ReplicaID? = nil, started: Date) {
        self.kind = kind
        self.store = store
        self.peer = peer
        self.replica = replica
        self.started = started
    }

    /// Seconds from its beginning to its end; nil while it has not ended.
    public var seconds: Double? { ended?.timeIntervalSince(started) }

    /// Whether it ended as it should.
    public var succeeded: Bool { ended != nil && error == nil }

    public var description: String {
        let what = "\(kind.rawValue) \(kind == .import ? "from" : kind == .export ? "to" : "of") \(peer)"
        guard let seconds else { return what + " began" }
        if let error { return what + " failed: \(error)" }
        let time = (seconds * 10).rounded() / 10
        return what + " ended after \(time) s: \(transactions) transactions, \(bytes) bytes, \(blobs) blobs"
    }
}
