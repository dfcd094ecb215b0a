/// Kinds of calls to a file system, to say which of them a fault is for.
public struct OperationKinds: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Opening a file that exists.
    public static let open = OperationKinds(rawValue: 1 << 0)
    /// Opening a file that has to be created.
    public static let create = OperationKinds(rawValue: 1 << 1)
    /// Reading bytes or the size of a file.
    public static let read = OperationKinds(rawValue: 1 << 2)
    public static let write = OperationKinds(rawValue: 1 << 3)
    public static let truncate = OperationKinds(rawValue: 1 << 4)
    public static let sync = OperationKinds(rawValue: 1 << 5)
    public static let syncDirectory = OperationKinds(rawValue: 1 << 6)
    public static let list = OperationKinds(rawValue: 1 << 7)
    public static let createDirectory = OperationKinds(rawValue: 1 << 8)
    public static let rename = OperationKinds(rawValue: 1 << 9)
    /// Removing a file or a directory.
    public static let remove = OperationKinds(rawValue: 1 << 10)
    public static let attributes = OperationKinds(rawValue: 1 << 11)
    /// Taking or giving back a lock.
    public static let lock = OperationKinds(rawValue: 1 << 12)
    /// Mapping a shared page, or watching a directory.
    public static let share = OperationKinds(rawValue: 1 << 13)

    public static let all = OperationKinds(rawValue: (1 << 14) - 1)
    /// Everything that changes what a power cut would leave.
    public static let changes: OperationKinds = [
        .create, .write, .truncate, .sync, .syncDirectory, .createDirectory, .rename, .remove,
    ]
}
