import Glibc
import Storage
import TransportContract
import Transports

/// The transports of this target, as the contract suite sees them.
enum TransportAdapters {
    static let all = [pair, socketPair, pipes, unix, tcp, exec]

    static let pair = ContractAdapter("pair") {
        let pair = ChannelPair(capacity: 1_000)
        return ConnectedPair(near: pair.first, far: pair.second)
    }

    static let socketPair = ContractAdapter("socketpair") {
        var ends: [Int32] = [-1, -1]
        let failure = unsafe Glibc.socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        guard failure == 0 else { throw ContractBreach("no sockets") }
        return ConnectedPair(
            near: try DescriptorChannel(reading: ends[0], writing: ends[0], peer: "near"),
            far: try DescriptorChannel(reading: ends[1], writing: ends[1], peer: "far"))
    }

    static let pipes = ContractAdapter("pipes") {
        let there = try makePipe()
        let back = try makePipe()
        return ConnectedPair(
            near: try DescriptorChannel(reading: back.reading, writing: there.writing, peer: "near"),
            far: try DescriptorChannel(reading: there.reading, writing: back.writing, peer: "far"))
    }

    static let unix = ContractAdapter("unix") {
        let folder = try TemporaryFolder()
        let listener = try UnixListener(path: folder.path + "/socket")
        let near = try UnixTransport(path: folder.path + "/socket").connect()
        return ConnectedPair(near: near, far: try accept(from: listener)) {
            listener.close()
            folder.remove()
        }
    }

    static let tcp = ContractAdapter("tcp") {
        let listener = try TCPListener(HostAddress(host: "127.0.0.1", port: 0))
        let near = try TCPTransport(listener.place).connect()
        return ConnectedPair(near: near, far: try accept(from: listener)) { listener.close() }
    }

    /// The other end of the child process is here again, by way of two named pipes.
    static let exec = ContractAdapter("exec", rounds: 20) {
        let folder = try TemporaryFolder()
        let (there, back) = (folder.path + "/there", folder.path + "/back")
        guard unsafe mkfifo(there, 0o600) == 0, unsafe mkfifo(back, 0o600) == 0 else { throw ContractBreach("no named pipes") }
        let command = "exec 3<&0; cat <&3 >'\(there)' & exec 3<&- </dev/null; exec cat <'\(back)'"
        let near = try ExecTransport(command: command).connect()
        // Each waits for the child to open the other end.
        let reading = unsafe open(there, O_RDONLY | O_CLOEXEC)
        let writing = unsafe open(back, O_WRONLY | O_CLOEXEC)
        return ConnectedPair(near: near, far: try DescriptorChannel(reading: reading, writing: writing, peer: "far")) {
            folder.remove()
        }
    }

    static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw ContractBreach("no pipe") }
        return (ends[0], ends[1])
    }

    /// Waits for somebody to connect.
    static func accept(from listener: any ChannelListener) throws -> any ByteChannel {
        let poller = try Poller()
        while true {
            if let channel = try listener.accept() { return channel }
            _ = try poller.wait(listener.interest.map { [$0] } ?? [], nanoseconds: nil)
        }
    }
}

/// A directory of one's own, short enough for the path of a socket.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = "/tmp/strandline-\(Digest128.hex(SystemRandom().next()))"
        try POSIXFileSystem().createDirectory(path)
    }

    func remove() { try? POSIXFileSystem().removeTree(path) }
}
