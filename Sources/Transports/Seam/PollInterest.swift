/// A descriptor to wait for, as `poll` takes it.
public struct PollInterest: Sendable, Hashable {
    public var descriptor: Int32
    /// Whether to wake when something can be read, or the other end is gone.
    public var read: Bool
    /// Whether to wake when something can be written.
    public var write: Bool

    public init(descriptor: Int32, read: Bool, write: Bool) {
        self.descriptor = descriptor
        self.read = read
        self.write = write
    }
}
