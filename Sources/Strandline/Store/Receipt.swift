public import EventLog

/// What a write came to.
public struct Receipt<Value: Sendable>: Sendable {
    /// What the closure returned.
    public let value: Value
    /// Whether the transaction was on stable storage when the write returned; false only for one that asked for ``Durability/relaxed``.
    public let isDurable: Bool

    private let engine: Engine
    private let state: LogState

    init(value: Value, isDurable: Bool, engine: Engine) {
        self.value = value
        self.isDurable = isDurable
        self.engine = engine
        state = engine.log.durableState
    }

    /// What the store's history covered when the write returned, a durable transaction itself included.
    ///
    /// Takes its turn with writes, on the thread that asks.
    public var token: HistoryToken { engine.token(at: state) }
}

extension Receipt: CustomStringConvertible {
    /// What the closure returned, and whether it is durable.
    public var description: String { "\(value), \(isDurable ? "durable" : "not durable yet")" }
}

/// What a write waits for.
public enum Durability: Sendable, Hashable {
    /// Until the transaction is on stable storage.
    case durable
    /// Until it is in the log's file. A power failure may take it back, whole; nothing leaves the process before it is durable.
    case relaxed
}
