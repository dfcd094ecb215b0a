public import EventLog
import Storage

/// What a write came to.
public struct Receipt<Value: Sendable>: Sendable {
    /// What the closure returned.
    public let value: Value
    /// Whether the transaction was on stable storage when the write returned; false only for one that asked for ``Durability/relaxed``.
    public let isDurable: Bool

    private let state: LogState
    private let log: Digest128

    init(value: Value, isDurable: Bool, state: LogState, log: Digest128) {
        self.value = value
        self.isDurable = isDurable
        self.state = state
        self.log = log
    }

    /// What the store's history covered when the write returned, a durable transaction itself included.
    public var token: HistoryToken { HistoryToken(state, log: log) }
}

/// What a write waits for.
public enum Durability: Sendable, Hashable {
    /// Until the transaction is on stable storage.
    case durable
    /// Until it is in the log's file. A power failure may take it back, whole; nothing leaves the process before it is durable.
    case relaxed
}

extension HistoryToken {
    /// The token of what a log has applied.
    init(_ state: LogState, log: Digest128) {
        let entries = state.branches.positions(applied: true).map { name, position in
            VersionVector.Entry(origin: name, sequence: position.sequence, chain: position.chain)
        }
        self.init(
            dataset: state.dataset, vector: VersionVector(entries), hint: Hint(log: log, lsn: state.position.lastLSN))
    }
}
