public import EventLog
public import Projection
import Storage

extension Store {
    /// What the store's history covers and is durable: the place to go on from later, or to compare with another replica's.
    ///
    /// What a newer version of the engine wrote in a way that this one cannot read is not covered, nor is what follows it from the
    /// same replica; a version that can read it finds it after the token.
    ///
    /// Takes its turn with writes, and reads from disk what other processes wrote since this store was last used, on the
    /// thread that asks. Where that must not wait, use the token of a ``Receipt``, or of ``info()``.
    public var token: HistoryToken { engine.token() }

    /// The transactions that a token does not cover, up to now, in the order in which they came into this store.
    ///
    /// Every change has its old and its new values. A sequence spent without effect is a transaction without changes.
    ///
    /// - Parameters:
    ///   - token: nil for all of history that is kept; see ``floor``.
    ///   - filter: which changes; a transaction of which none is wanted is left out.
    /// - Throws: `wrongDataset`, `historyExpired` for a token below the floor, `corrupt` where a segment is damaged.
    public func history(after token: HistoryToken? = nil, _ filter: HistoryFilter = HistoryFilter()) -> History {
        History(engine: engine, token: token, filter: filter)
    }

    /// The transactions that a token does not cover, and then those that come, as they become durable.
    ///
    /// Those of any process that has the store open are among them. Ends when its task is cancelled.
    ///
    /// ```swift
    /// for try await transaction in store.transactions() { print(transaction.header.author, transaction.changes.count) }
    /// ```
    ///
    /// - Parameter token: nil for what comes from now on.
    /// - Throws: `wrongDataset`, `historyExpired` for a token below the floor, `closed` when the store is.
    public func transactions(
        after token: HistoryToken? = nil, _ filter: HistoryFilter = HistoryFilter()
    ) -> LiveHistory {
        LiveHistory(engine: engine, token: token ?? self.token, filter: filter)
    }

    /// The state as it was when the history was just what a token covers.
    ///
    /// - Throws: `wrongDataset`, `notYetReceived` when the token covers what has not arrived, `historyExpired`.
    public func snapshot(at token: HistoryToken) async throws -> Snapshot {
        let engine = engine
        return try await engine.background.run { try engine.snapshot(at: token) }
    }

    /// The state as it is now, whatever is written later.
    ///
    /// It keeps the files that it was read from; when it is held for long and the store needs them no more, that is reported.
    ///
    /// - Throws: `closed`, `insideWrite`; `corrupt` or `storage` for a log that cannot be read.
    public func snapshot() throws -> Snapshot {
        let snapshot = try engine.read { reader in
            engine.snapshot(of: reader.state)
        }
        engine.snapshots.add(snapshot)
        return snapshot
    }

    /// The writes that were made without knowledge of each other, winner and losers; alike on every replica with the same history.
    ///
    /// Among them are what the members of one unique key have written, where another value holds for the object that they became.
    ///
    /// ```swift
    /// let before = store.token
    /// try await store.sync(with: .folder(path: shared))
    /// for conflict in try await store.conflicts(since: before) { print(conflict.object, conflict.winner.value) }
    /// ```
    ///
    /// - Parameter token: leave out those it covers; nil for all.
    /// - Throws: `wrongDataset`, `notYetReceived` when the token covers what has not arrived, `historyExpired`.
    public func conflicts(since token: HistoryToken? = nil) async throws -> [Conflict] {
        let engine = engine
        return try await engine.background.run {
            try engine.conflicts(since: token)
        }
    }

    /// Takes a transaction back: registers that it still wins go back to what it overwrote, what it inserted is deleted, what it
    /// deleted is restored.
    ///
    /// What undos put back counts as never overwritten, so several transactions can be undone one after the other, the last first, and the
    /// undos themselves undone in turn. Where something else holds, the log is read to see whether undos alone came after
    /// the transaction: from it on while all history is of one replica, else from the start.
    ///
    /// ```swift
    /// for try await transaction in store.history(after: yesterday) where transaction.header.author == "import" {
    ///     let undo = try await store.undo(transaction.header.origin, transaction.header.sequence, author: "me").value
    ///     for leftover in undo.leftovers { print(leftover.object, leftover.reason) }
    /// }
    /// ```
    ///
    /// - Returns: what was taken back, and what could not be, because later writes hold.
    /// - Throws: `notYetReceived` when there is no such transaction here, `historyExpired` when it was trimmed; `duplicateKey` when an object would get back a unique key
    ///   that another has by now: nothing is taken back then.
    @discardableResult
    public func undo(_ origin: ReplicaID, _ sequence: UInt64, author: String = "") async throws -> Receipt<UndoSummary> {
        let engine = engine
        let (transaction, chains) = try await engine.background.run { () throws -> (Transaction, UndoChains?) in
            try engine.checkReadable()
            guard let found = try engine.transaction(sequence, of: origin) else {
                throw StoreError(.notYetReceived, "there is no transaction \(sequence) of \(origin) in this store")
            }
            let left = try engine.read { $0.state.planUndo(found).leftovers }
            let objects = Set(left.filter { $0.reason != .denied }.map(\.object))
            guard !objects.isEmpty else { return (found, nil) }
            return (found, try engine.undoChains(since: sequence, of: origin, objects))
        }
        return try await write(author: author) { tx in try tx.undo(transaction, chains) }
    }

    /// A number that replicas with the same history have in common: 32 hexadecimal digits.
    ///
    /// What is not durable yet is made so before.
    ///
    /// - Throws: `outcomeUnknown` or `storage` when the disk fails, `corrupt` for a log that cannot be read.
    public func digest() throws -> String { try engine.readDurable { state, _ in state.stateDigest.description } }

    /// A number that datasets with the same content have in common, whatever their histories and ids.
    ///
    /// - Throws: as ``digest()``.
    public func contentDigest() throws -> String { try engine.readDurable { state, _ in state.contentDigest.description } }
}

extension Store {
    /// How often this store has folded all of its history anew, because something applied got another name.
    package var foldsAnew: Int { engine.foldsAnew }

    /// How many transactions this store has applied to states of the past.
    package var appliedToThePast: UInt64 { engine.past.applied }
}

extension Engine {
    /// - Throws: `wrongDataset`, `closed`.
    func check(_ token: HistoryToken?) throws(StoreError) {
        try checkReadable()
        guard let token, token.dataset != log.dataset else { return }
        throw StoreError(
            .wrongDataset, "the token belongs to dataset \(token.dataset), and the store to \(log.dataset)")
    }

    func snapshot(at token: HistoryToken) throws -> Snapshot {
        try check(token)
        return try StoreError.wrap {
            snapshot(of: try pastState(at: token))
        }
    }

    func snapshot(of state: FoldState) -> Snapshot {
        Snapshot(state, blobs: StoreBlobs(store: blobs), schemas: schemas) { [weak self] in try self?.again($0) }
    }
}
