import Storage

/// Reaches a peer through a command whose standard input and output are the stream.
///
/// ```swift
/// let channel = try ExecTransport(command: "ssh -T host strandline serve --stdio Posts").connect()
/// ```
///
/// `/bin/sh` runs the command, in this process's environment and directory, with no descriptor of this process but the three
/// standard ones. What it says on standard error is read, and its last lines are part of the error when it fails. When the channel is
/// closed, the command sees the end of its input; if it has not ended a second later, the shell gets a SIGTERM.
public struct ExecTransport: Transport {
    public let address: String
    private let command: String

    /// - Parameter command: For the shell; whoever can choose it can do anything that this process may.
    public init(command: String) {
        self.command = command
        address = "exec:\(command)"
    }

    /// Starts the command.
    ///
    /// - Throws: ``TransportError/Code/failed`` when the system starts no process. That there is no such command, only the first
    ///   read or write tells (`badAddress`).
    public func connect() throws(TransportError) -> any ByteChannel {
        guard !command.utf8.contains(0), command.contains(where: { !$0.isWhitespace }) else {
            throw TransportError(.badAddress, address: address, "\(address) names no command; write exec:COMMAND")
        }
        let input = try Descriptor.pipe(for: address)
        let output = try Descriptor.pipe(for: address)
        let errors = try Descriptor.pipe(for: address)
        let keeper = try ChildKeeper()
        // The child's ends wait, as every program expects; ours do not.
        for end in [input.reading, output.writing, errors.writing] { try end.makeWait(for: address) }
        let child = try ChildProcess.start(
            command, input: input.reading, output: output.writing, errors: errors.writing, address: address)
        let reading = errors.reading
        do throws(StorageError) {
            try WorkerThreads.run { keeper.keep(child, errors: reading) }
        } catch {
            child.force()
            _ = child.reap()
            throw TransportError(.failed, address: address, "cannot watch over \(address): \(error)", cause: error)
        }
        let stream = DescriptorChannel(reading: output.reading, writing: input.writing, peer: address, identity: nil)
        return ExecChannel(stream: stream, keeper: keeper)
    }
}
