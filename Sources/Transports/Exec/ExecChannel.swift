// Invariants
// * All state is under `state`'s lock.
// * `isEnding`: the child has closed its output, or does not read its input. Nothing but its exit status is waited for then, and
//   that decides between the end and an error.

import Storage
import Synchronization

/// The stream to and from a child process.
final class ExecChannel: ByteChannel {
    private struct State {
        var isClosed = false
        var isAtEnd = false
        var isWriteBroken = false
        var hasReceived = false
    }

    let peer: String
    let identity: PeerIdentity? = nil
    private let stream: DescriptorChannel
    private let keeper: ChildKeeper
    private let state = Mutex(State())

    init(stream: DescriptorChannel, keeper: ChildKeeper) {
        self.stream = stream
        self.keeper = keeper
        peer = stream.peer
    }

    deinit { close() }

    func read(into buffer: inout MutableSpan<UInt8>) throws(TransportError) -> ChannelRead {
        try state.withLock { state throws(TransportError) -> ChannelRead in
            guard !state.isClosed else { throw .closedHere(peer) }
            if !state.isAtEnd {
                let read = try stream.read(into: &buffer)
                if case .bytes = read { state.hasReceived = true }
                // Who does not hear us is done with; children of its own may hold its output open for long.
                guard read == .end || (read == .nothing && state.isWriteBroken) else { return read }
                if read == .end {
                    state.isAtEnd = true
                    keeper.expectEnd()
                }
            }
            guard let ending = keeper.ending else { return .nothing }
            if let error = error(for: ending, state) { throw error }
            return .end
        }
    }

    func write(_ bytes: Span<UInt8>) throws(TransportError) -> Int {
        try state.withLock { state throws(TransportError) -> Int in
            guard !state.isClosed else { throw .closedHere(peer) }
            if !state.isWriteBroken {
                do throws(TransportError) {
                    return try stream.write(bytes)
                } catch {
                    guard error.code == .closed else { throw error }
                    state.isWriteBroken = true
                    keeper.expectEnd()
                }
            }
            guard let ending = keeper.ending else { return 0 }
            throw error(for: ending, state) ?? .brokeOff(peer)
        }
    }

    func readiness(wantsToWrite: Bool) -> ChannelReadiness {
        let (isAtEnd, isWriteBroken) = state.withLock { ($0.isAtEnd, $0.isWriteBroken) }
        return isAtEnd ? .signal : stream.readiness(wantsToWrite: wantsToWrite && !isWriteBroken)
    }

    func onChange(_ wake: @escaping @Sendable () -> Void) { keeper.onEnd(wake) }

    func recheck() throws(TransportError) { try stream.recheck() }

    func close() {
        let isNew = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isNew else { return }
        stream.close()
        keeper.expectEnd()
    }

    /// What the child's end means; nil when it did what it should.
    private func error(for ending: ChildProcess.Ending, _ state: State) -> TransportError? {
        let said = keeper.lastLines
        let quoted = said.isEmpty ? "it said nothing on standard error" : "it said: \(said)"
        switch ending {
        case .exited(0), .unknown: return nil
        case .exited(let status) where status == 126 || status == 127:
            return TransportError(
                .badAddress, address: peer,
                "the shell could not run the command of \(peer) (exit status \(status)); \(quoted); "
                    + "see whether it is installed")
        case .exited(let status):
            return TransportError(
                state.hasReceived ? .closed : .unreachable, address: peer,
                "the command of \(peer) failed with exit status \(status); \(quoted)")
        case .signalled(let number):
            return TransportError(
                state.hasReceived ? .closed : .unreachable, address: peer,
                "the command of \(peer) was ended by signal \(number); \(quoted)")
        }
    }
}
