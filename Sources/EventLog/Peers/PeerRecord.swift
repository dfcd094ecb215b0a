/// A peer or a named consumer of a store's history, and how far it has come.
public struct PeerRecord: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// Another replica, by its id.
        case peer(ReplicaID)
        /// Somebody who reads the history, and remembers by this store how far.
        case consumer
    }

    public let kind: Kind
    /// What people call it; a consumer's is its identity.
    public let name: String
    /// What it has acknowledged: everything that this covers may be trimmed as far as it is concerned.
    public let acknowledged: HistoryToken
    /// When it was last heard of, in milliseconds since 1970.
    public let lastContact: UInt64

    package init(kind: Kind, name: String, acknowledged: HistoryToken, lastContact: UInt64) {
        self.kind = kind
        self.name = name
        self.acknowledged = acknowledged
        self.lastContact = lastContact
    }

    /// For how long nothing may be heard of it before it holds up nothing any more: 30 days.
    public static let patienceMilliseconds: UInt64 = 30 * 86_400_000

    /// Whether it has not been heard of for so long that it holds up nothing any more.
    ///
    /// - Parameter now: milliseconds since 1970. A clock that was set back lets nobody lapse.
    public func hasLapsed(now: UInt64) -> Bool { now > lastContact && now - lastContact > Self.patienceMilliseconds }

    /// Whether both are the same peer or consumer.
    func isSame(as other: PeerRecord) -> Bool {
        switch (kind, other.kind) {
        case (.peer(let own), .peer(let its)): own == its
        case (.consumer, .consumer): name == other.name
        default: false
        }
    }

    /// What it is looked up by: a replica's id in 32 digits, or a consumer's name.
    public var key: String {
        switch kind {
        case .peer(let id): id.description
        case .consumer: name
        }
    }
}
