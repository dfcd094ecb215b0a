public import Storage

/// A call, or a series of calls, that fails.
public struct Fault: Sendable, Equatable, CustomStringConvertible {
    /// What a failing call does before it throws.
    public enum Effect: Sendable, Equatable {
        /// Nothing: the call might as well not have been made.
        case nothing
        /// A write puts so many of its first bytes into the file. Other calls do nothing.
        case writesPrefix(Int)
        /// A sync forgets what was unsynced: the cache still shows it until ``File/dropCache()``, the device never gets it, and
        /// the next sync reports success. So does Linux (https://wiki.postgresql.org/wiki/Fsync_Errors). Other calls do
        /// nothing.
        case losesUnsynced
    }

    /// Which calls are counted.
    public var operations: OperationKinds
    /// How many of them succeed first.
    public var index: Int
    public var code: StorageError.Code
    /// Whether all later calls of the kind fail as well.
    public var isSticky: Bool
    public var effect: Effect

    public init(
        at index: Int, of operations: OperationKinds = .all, with code: StorageError.Code = .inputOutput,
        sticky isSticky: Bool = false, effect: Effect = .nothing
    ) {
        self.index = index
        self.operations = operations
        self.code = code
        self.isSticky = isSticky
        self.effect = effect
    }

    public var description: String {
        "\(code) at call \(index)\(isSticky ? " and later" : ""), kinds \(operations.rawValue), effect \(effect)"
    }
}
