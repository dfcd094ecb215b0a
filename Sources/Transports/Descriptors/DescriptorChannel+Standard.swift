import Storage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension DescriptorChannel {
    /// The channel over standard input and output, for a program that another one started to talk to it.
    ///
    /// ```swift
    /// let channel = try DescriptorChannel.standardStreams()
    /// ```
    ///
    /// Both streams are moved away: from now on, the program reads nothing from standard input, and what it prints goes
    /// to standard error. So a stray `print` never gets between the bytes of the channel, and the peer sees the end when the
    /// channel closes, not when the program ends.
    public static func standardStreams(peer: String = "stdio") throws(TransportError) -> DescriptorChannel {
        try moving(input: STDIN_FILENO, output: STDOUT_FILENO, errors: STDERR_FILENO, peer: peer)
    }

    package static func moving(
        input: Int32, output: Int32, errors: Int32, peer: String
    ) throws(TransportError) -> DescriptorChannel {
        let action = "move descriptors \(input) and \(output) for \(peer)"
        let reading = try Descriptor(
            adopting: try SystemCall.run { fcntl(input, F_DUPFD_CLOEXEC, 3) }.get(action, address: peer), peer: peer)
        let writing = try Descriptor(
            adopting: try SystemCall.run { fcntl(output, F_DUPFD_CLOEXEC, 3) }.get(action, address: peer), peer: peer)
        let nowhere = try openNowhere().get(action, address: peer)
        defer { _ = Descriptor(owning: nowhere, isSocket: false) }
        _ = try SystemCall.run { dup2(nowhere, input) }.get(action, address: peer)
        if case .failure = SystemCall.run({ dup2(errors, output) }) {
            _ = try SystemCall.run { dup2(nowhere, output) }.get(action, address: peer)
        }
        return DescriptorChannel(reading: reading, writing: writing, peer: peer, identity: nil)
    }

    private static func openNowhere() -> SystemCall.Outcome<Int32> {
        SystemCall.run {
            #if canImport(Glibc)
            unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
            #else
            unsafe Darwin.open("/dev/null", O_RDWR | O_CLOEXEC)
            #endif
        }
    }
}
