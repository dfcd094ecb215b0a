/// What a read of a ``ByteChannel`` brought.
public enum ChannelRead: Sendable, Equatable {
    /// So many bytes, at least one, are in the front of the buffer.
    case bytes(Int)
    /// Nothing has arrived since; there may be more later.
    case nothing
    /// The peer has closed, and every byte it sent was read.
    case end
}
