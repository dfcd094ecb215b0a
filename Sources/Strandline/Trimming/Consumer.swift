public import EventLog

/// Somebody who reads a store's history bit by bit, by name: the store remembers how far, and keeps what is still to be read.
///
/// ```swift
/// let audit = store.consumer(named: "audit")
/// for try await transaction in try audit.transactions() { record(transaction) }
/// try await audit.acknowledge(store.token)
/// ```
///
/// A consumer that acknowledges nothing for thirty days lapses: then it holds up no trim any more.
public struct Consumer: Sendable {
    public let name: String
    let store: Store

    /// How far it has acknowledged; nil before the first time.
    ///
    /// - Throws: `corrupt` for a damaged file of acknowledgements.
    public var position: HistoryToken? {
        get throws {
            try StoreError.wrap {
                try store.engine.log.peers.first { $0.kind == .consumer && $0.name == name }?.acknowledged
            }
        }
    }

    /// Notes, durably, that everything a token covers was taken in.
    ///
    /// - Throws: `wrongDataset`, `readOnly`, `storage`, `tooLarge` for a name that is empty or has over 255 bytes.
    public func acknowledge(_ token: HistoryToken) async throws {
        let (engine, name) = (store.engine, name)
        try await engine.background.run {
            try engine.checkReadable()
            try StoreError.wrap { try engine.log.acknowledge(consumer: name, token) }
        }
    }

    /// The transactions that it has not acknowledged, up to now; all that are kept before the first time.
    ///
    /// - Throws: as ``position``; reading throws `historyExpired` when it lapsed and the store was trimmed past it.
    public func transactions(_ filter: HistoryFilter = HistoryFilter()) throws -> History {
        store.history(after: try position, filter)
    }
}

extension Store {
    /// A reader of the history that the store remembers by name.
    public func consumer(named name: String) -> Consumer { Consumer(name: name, store: self) }

    /// Peers and consumers that have acknowledged something: peers ascending by id, then consumers ascending by name.
    ///
    /// - Throws: `corrupt` for a damaged file of acknowledgements.
    public var peers: [PeerRecord] { get throws { try StoreError.wrap { try engine.log.peers } } }

    /// Forgets a peer, by its id or name, or a consumer by its name: it holds up no trim any more.
    ///
    /// - Returns: whether it was known.
    /// - Throws: `readOnly`, `storage`.
    @discardableResult
    public func forget(_ peerOrConsumer: String) async throws -> Bool {
        let engine = engine
        return try await engine.background.run {
            try engine.checkReadable()
            return try StoreError.wrap {
                let record = try engine.log.peers.first { $0.key == peerOrConsumer || $0.name == peerOrConsumer }
                guard try engine.log.forget(peerOrConsumer) else { return false }
                if case .peer(let replica)? = record?.kind {
                    try engine.blobs.changeCopies { copies, _ in copies.forget(replica) }
                }
                return true
            }
        }
    }
}
