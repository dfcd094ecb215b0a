/// What opening a store had to mend.
///
/// Empty after a clean close.
public struct RecoveryReport: Sendable, Equatable {
    /// How the end of the log was found.
    public enum Tail: String, Sendable, Equatable {
        /// Nothing was lost: closed cleanly, or every byte behind the last commit is zero.
        case clean
        /// Bytes behind a clean end that no commit wrote were cut off.
        case junk
        /// A commit that was never acknowledged was cut off.
        case torn
        /// The last commit was unreadable from its first byte and was cut off; that it had been acknowledged cannot be ruled out.
        case uncertain
    }

    public var tail: Tail = .clean
    /// The file that holds the bytes cut off.
    public var quarantined: String?
    /// The store writes under a new replica id, and why.
    public var newReplica: String?
    /// The last user did not close the store.
    public var wasUnclean = false

    public init() {}

    public var isEmpty: Bool { self == RecoveryReport() }
}
