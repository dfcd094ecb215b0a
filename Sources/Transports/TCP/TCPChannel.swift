// Invariants
// * The phase moves forward only: resolving, connecting, connected; failed and closed are last. It changes under `phase`'s lock.
// * While resolving, a thread looks the name up; it holds this object weakly, so a channel given up does not wait for it, and what it
//   finds for a channel that is closed is dropped.
// * `addresses` are those not tried yet. An attempt that fails, or that takes `patience`, gives way to the next one; the error
//   of the last is the one that is told.

import Storage
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A TCP connection from its first moment on.
final class TCPChannel: ByteChannel {
    private struct Attempt {
        let socket: Descriptor
        let address: SocketAddress
        let since: UInt64
    }
    private enum Phase {
        case resolving(since: UInt64)
        case connecting(Attempt)
        case connected(DescriptorChannel)
        case failed(TransportError)
        case closed
    }
    private struct State {
        var phase: Phase
        var addresses: [SocketAddress] = []
        var wake: (@Sendable () -> Void)?
    }

    let peer: String
    let identity: PeerIdentity? = nil
    private let host: HostAddress
    private let clock: any WallClock
    private let state: Mutex<State>

    /// For one address to answer, while there are others; for the last one it is three times as long.
    static let patience: UInt64 = 5_000_000_000
    static let longest = 3 * patience

    init(_ host: HostAddress, peer: String, clock: any WallClock) throws(TransportError) {
        self.host = host
        self.peer = peer
        self.clock = clock
        state = Mutex(State(phase: .resolving(since: clock.monotonic())))
        if let numeric = try? SocketAddress.lookUp(host, forListening: false, isNumeric: true, address: peer) {
            resolved(.success(numeric))
            return
        }
        do throws(StorageError) {
            try WorkerThreads.run { [weak self] in
                let answer = Result { () throws(TransportError) in
                    try SocketAddress.lookUp(host, forListening: false, isNumeric: false, address: peer)
                }
                self?.resolved(answer)
            }
        } catch {
            throw TransportError(.failed, address: peer, "cannot look up the host of \(peer): \(error)", cause: error)
        }
    }

    func read(into buffer: inout MutableSpan<UInt8>) throws(TransportError) -> ChannelRead {
        try advance()?.read(into: &buffer) ?? .nothing
    }

    func write(_ bytes: Span<UInt8>) throws(TransportError) -> Int { try advance()?.write(bytes) ?? 0 }

    func readiness(wantsToWrite: Bool) -> ChannelReadiness {
        state.withLock { state in
            switch state.phase {
            case .resolving, .failed, .closed: .signal
            case .connecting(let attempt):
                .descriptors([PollInterest(descriptor: attempt.socket.number, read: false, write: true)])
            case .connected(let channel): channel.readiness(wantsToWrite: wantsToWrite)
            }
        }
    }

    func onChange(_ wake: @escaping @Sendable () -> Void) {
        let isUnderWay = state.withLock { state in
            state.wake = wake
            if case .resolving = state.phase { return true }
            return false
        }
        if !isUnderWay { wake() }
    }

    func recheck() throws(TransportError) {
        let now = clock.monotonic()
        try state.withLock { state throws(TransportError) in
            switch state.phase {
            case .resolving(let since):
                guard now &- since > Self.longest else { return }
                state.phase = .failed(
                    TransportError(
                        .timedOut, address: peer,
                        "looking up the host of \(peer) takes too long; see whether the network is there"))
            case .connecting(let attempt):
                guard now &- attempt.since > (state.addresses.isEmpty ? Self.longest : Self.patience) else { return }
                tryNext(&state, TransportError(errno: ETIMEDOUT, "connect to \(peer)", address: peer))
            case .connected(let channel): return try channel.recheck()
            case .failed, .closed: break
            }
            if case .failed(let error) = state.phase { throw error }
            if case .closed = state.phase { throw .closedHere(peer) }
        }
    }

    func close() {
        let channel = state.withLock { state -> DescriptorChannel? in
            defer {
                state.phase = .closed
                state.wake = nil
            }
            if case .connected(let channel) = state.phase { return channel }
            return nil
        }
        channel?.close()
    }

    private func resolved(_ answer: Result<[SocketAddress], TransportError>) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .resolving = state.phase else { return nil }
            switch answer {
            case .failure(let error): state.phase = .failed(error)
            case .success(let addresses):
                state.addresses = addresses
                tryNext(&state, TransportError(.unreachable, address: peer, "the host of \(peer) has no address"))
            }
            return state.wake
        }
        wake?()
    }

    /// The stream, once there is one.
    private func advance() throws(TransportError) -> DescriptorChannel? {
        try state.withLock { state throws(TransportError) -> DescriptorChannel? in
            while true {
                switch state.phase {
                case .resolving: return nil
                case .failed(let error): throw error
                case .closed: throw .closedHere(peer)
                case .connected(let channel): return channel
                case .connecting(let attempt):
                    // Asked again, connect tells how the first one went.
                    guard proceed(attempt.address.connect(attempt.socket), attempt, &state) else { return nil }
                }
            }
        }
    }

    private func tryNext(_ state: inout State, _ failure: TransportError) {
        guard !state.addresses.isEmpty else {
            state.phase = .failed(failure)
            return
        }
        let address = state.addresses.removeFirst()
        do throws(TransportError) {
            let socket = try Socket.make(address.family, for: peer)
            let attempt = Attempt(socket: socket, address: address, since: clock.monotonic())
            state.phase = .connecting(attempt)
            _ = proceed(address.connect(socket), attempt, &state)
        } catch {
            tryNext(&state, error)
        }
    }

    /// Returns whether the phase has changed.
    private func proceed(_ outcome: SystemCall.Outcome<Int32>, _ attempt: Attempt, _ state: inout State) -> Bool {
        switch outcome {
        case .failure(EINPROGRESS), .failure(EALREADY): return false
        case .success, .failure(EISCONN):
            Socket.tuneTCP(attempt.socket)
            state.phase = .connected(
                DescriptorChannel(reading: attempt.socket, writing: attempt.socket, peer: peer, identity: nil))
        case .failure(let number):
            tryNext(&state, TransportError(errno: number, "connect to \(peer)", address: peer))
        }
        return true
    }
}
