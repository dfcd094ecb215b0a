// Invariants
// * All state is under `state`'s lock, also while the system copies bytes: the descriptors never wait, and nobody closes one
//   under another's hands.
// * `open` is nil once closed here; dropping it closes the descriptors.
// * After an error of the system the channel stays open, and the next call fails alike, until its owner closes it.

import Storage
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A channel over descriptors of the system: a socket, two pipes, a terminal, standard input and output.
///
/// ```swift
/// let channel = try DescriptorChannel(reading: 3, writing: 3, peer: "inherited:3")
/// ```
///
/// It takes the descriptors over and closes them, once. They do not wait any more while it has them; where they did before, and
/// others share what is behind them, they do so again afterwards. A peer that is gone is an error, never a `SIGPIPE`,
/// and how the process handles signals is left alone.
public final class DescriptorChannel: ByteChannel {
    private struct Ends {
        let reading: Descriptor
        let writing: Descriptor
        var isAtEnd = false
    }

    public let peer: String
    public let identity: PeerIdentity?
    private let open: Mutex<Ends?>

    /// Takes over descriptors, which may be one and the same; they stay the caller's when this throws.
    ///
    /// - Throws: ``TransportError/Code/closed`` when one is no open descriptor.
    public convenience init(
        reading: Int32, writing: Int32, peer: String, identity: PeerIdentity? = nil
    ) throws(TransportError) {
        try Descriptor.check(reading, peer: peer)
        try Descriptor.check(writing, peer: peer)
        let input = try Descriptor(adopting: reading, peer: peer)
        let output = writing == reading ? input : try Descriptor(adopting: writing, peer: peer)
        self.init(reading: input, writing: output, peer: peer, identity: identity)
    }

    init(reading: Descriptor, writing: Descriptor, peer: String, identity: PeerIdentity?) {
        self.peer = peer
        self.identity = identity
        open = Mutex(Ends(reading: reading, writing: writing))
    }

    public func read(into buffer: inout MutableSpan<UInt8>) throws(TransportError) -> ChannelRead {
        precondition(buffer.count > 0, "a read needs room for a byte at least")
        return try open.withLock { ends throws(TransportError) -> ChannelRead in
            guard let reading = ends?.reading else { throw .closedHere(peer) }
            if ends?.isAtEnd == true { return .end }
            switch reading.read(into: &buffer) {
            case .success(0):
                ends?.isAtEnd = true
                return .end
            case .success(let count): return .bytes(count)
            case .failure(EAGAIN), .failure(EWOULDBLOCK): return .nothing
            case .failure(let number): throw TransportError(errno: number, "read from \(peer)", address: peer)
            }
        }
    }

    public func write(_ bytes: Span<UInt8>) throws(TransportError) -> Int {
        try open.withLock { ends throws(TransportError) -> Int in
            guard let writing = ends?.writing else { throw .closedHere(peer) }
            if bytes.isEmpty { return 0 }
            switch writing.write(bytes) {
            case .success(let count): return count
            case .failure(EAGAIN), .failure(EWOULDBLOCK): return 0
            case .failure(let number): throw TransportError(errno: number, "write to \(peer)", address: peer)
            }
        }
    }

    public func readiness(wantsToWrite: Bool) -> ChannelReadiness {
        open.withLock { ends in
            guard let ends else { return .descriptors([]) }
            if ends.reading === ends.writing {
                return .descriptors([
                    PollInterest(descriptor: ends.reading.number, read: !ends.isAtEnd, write: wantsToWrite)
                ])
            }
            var interests = [PollInterest(descriptor: ends.reading.number, read: !ends.isAtEnd, write: false)]
            if wantsToWrite { interests.append(PollInterest(descriptor: ends.writing.number, read: false, write: true)) }
            return .descriptors(interests)
        }
    }

    /// Does nothing: there are descriptors to wait for.
    public func onChange(_ wake: @escaping @Sendable () -> Void) {}

    public func recheck() throws(TransportError) {
        try open.withLock { ends throws(TransportError) in
            guard ends != nil else { throw .closedHere(peer) }
        }
    }

    public func close() {
        let ends = open.withLock { ends -> Ends? in
            defer { ends = nil }
            return ends
        }
        ends?.writing.sayGoodbye()
    }
}
