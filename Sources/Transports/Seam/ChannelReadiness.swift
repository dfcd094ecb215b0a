/// What tells that a ``ByteChannel`` may be read or written again.
public enum ChannelReadiness: Sendable, Equatable {
    /// One of these descriptors: wait for them by `poll`.
    case descriptors([PollInterest])
    /// What ``ByteChannel/onChange(_:)`` was given is called.
    case signal
}
