// Invariants
// * All state is under `state`'s lock; nothing below it waits.
// * Bytes of the application pass in `open` only: the handshake is complete, the peer's device id is trusted, and both ends
//   have agreed on the protocol.
// * `outgoing[start..<end]` was taken from the engine and not yet by the channel below; the engine holds what comes after. New bytes of
//   the application are taken only while both are nearly empty, so memory is bounded.
// * An error of the channel below while sending is kept in `sendError` until it is known whether the peer said why it hung up.

package import Storage
import Synchronization
package import Transports

/// TLS over another channel.
package final class TLSChannel: ByteChannel {
    enum Phase {
        case handshaking(since: UInt64)
        case open
        case failed(TransportError)
        case closed
    }
    struct State {
        var phase: Phase
        var incoming = [UInt8](repeating: 0, count: 32_768)
        var outgoing = [UInt8](repeating: 0, count: 32_768)
        var start = 0
        var end = 0
        var hasSent = false
        var isBelowAtEnd = false
        var isAtEnd = false
        var sendError: TransportError?
    }

    package let peer: String
    let below: any ByteChannel
    let engine: TLSEngine
    private let check: PeerCheck
    private let own: DeviceID?
    private let isServer: Bool
    private let clock: any WallClock
    private let state: Mutex<State>

    /// How long a peer may take to prove who it is.
    static let patience: UInt64 = 20_000_000_000

    package init(
        over below: any ByteChannel, _ context: TLSContext, own: DeviceID?, clock: any WallClock
    ) throws(DeviceError) {
        engine = try TLSEngine(context)
        self.below = below
        self.own = own
        self.clock = clock
        check = context.check
        isServer = context.role == .server
        peer = below.peer
        state = Mutex(State(phase: .handshaking(since: clock.monotonic())))
    }

    package var identity: PeerIdentity? {
        let isOpen = state.withLock { state in
            if case .open = state.phase { return true }
            return false
        }
        return isOpen ? check.id.map { .device($0.description) } : nil
    }

    package func read(into buffer: inout MutableSpan<UInt8>) throws(TransportError) -> ChannelRead {
        precondition(buffer.count > 0, "a read needs room for a byte at least")
        return try state.withLock { state throws(TransportError) -> ChannelRead in
            guard try isOpen(&state) else { return .nothing }
            if state.isAtEnd { return .end }
            while true {
                switch engine.read(into: &buffer) {
                case .done(let count): return .bytes(count)
                case .end:
                    state.isAtEnd = true
                    return .end
                case .failed(let failure): throw fail(&state, failure)
                case .wantsInput:
                    // The peer may have asked for new keys, which is answered here.
                    flush(&state)
                    if try pull(&state) { continue }
                    // Without a goodbye, somebody may have cut the stream short.
                    if state.isBelowAtEnd { throw fail(&state, .brokeOff(peer)) }
                    if let error = state.sendError { throw fail(&state, error) }
                    return .nothing
                }
            }
        }
    }

    package func write(_ bytes: Span<UInt8>) throws(TransportError) -> Int {
        try state.withLock { state throws(TransportError) -> Int in
            guard try isOpen(&state) else { return 0 }
            flush(&state)
            var taken = 0
            while taken < bytes.count, state.start == state.end, state.sendError == nil {
                let piece = bytes.extracting(taken..<min(bytes.count, taken + Self.recordSize))
                switch engine.write(piece) {
                case .done(let count): taken += count
                case .failed(let failure): throw fail(&state, failure)
                case .wantsInput, .end: return taken
                }
                flush(&state)
            }
            if let error = state.sendError { try explain(&state, error) }
            return state.sendError == nil ? taken : 0
        }
    }

    package func readiness(wantsToWrite: Bool) -> ChannelReadiness {
        let wantsToSend = state.withLock { state in
            let isWaiting = state.sendError == nil && (state.start < state.end || engine.leavingCount > 0)
            // During the handshake the peer's bytes decide when the application's may go.
            if case .open = state.phase { return isWaiting || (wantsToWrite && state.sendError == nil) }
            return isWaiting
        }
        return below.readiness(wantsToWrite: wantsToSend)
    }

    package func onChange(_ wake: @escaping @Sendable () -> Void) { below.onChange(wake) }

    package func recheck() throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            switch state.phase {
            case .failed(let error): throw error
            case .closed: throw .closedHere(peer)
            case .handshaking(let since):
                do throws(TransportError) { try below.recheck() } catch { throw fail(&state, error) }
                // What comes before the first byte is the connection's own time.
                guard isServer || state.hasSent, clock.monotonic() &- since > Self.patience else { return }
                throw fail(&state, TLSFailure.handshakeTooSlow(peer))
            case .open:
                do throws(TransportError) { try below.recheck() } catch { throw fail(&state, error) }
                if let id = check.id, let error = check.examine(id) { throw fail(&state, error) }
            }
        }
    }

    package func close() {
        state.withLock { state in
            if case .open = state.phase, !state.isBelowAtEnd {
                engine.sayGoodbye()
                flush(&state)
            }
            state.phase = .closed
        }
        below.close()
    }
}

extension TLSChannel {
    /// The most that one record of TLS holds.
    private static let recordSize = 16_384

    /// Goes on with the handshake while there is one; returns whether it is complete.
    private func isOpen(_ state: inout State) throws(TransportError) -> Bool {
        while true {
            switch state.phase {
            case .open: return true
            case .failed(let error): throw error
            case .closed: throw .closedHere(peer)
            case .handshaking: break
            }
            switch engine.handshake() {
            case .done:
                flush(&state)
                guard engine.hasAgreed else { throw fail(&state, TLSFailure.noProtocol(peer)) }
                guard check.id != nil else { throw fail(&state, check.refusal ?? TLSFailure.noProtocol(peer)) }
                state.phase = .open
            case .failed(let failure): throw fail(&state, check.refusal ?? TLSFailure.error(failure, own: own, address: peer))
            case .end: throw fail(&state, .brokeOff(peer))
            case .wantsInput:
                flush(&state)
                if try pull(&state) { continue }
                if state.isBelowAtEnd { throw fail(&state, .brokeOff(peer)) }
                if let error = state.sendError { throw fail(&state, error) }
                return false
            }
        }
    }

    /// Takes what the network brought; returns whether there was anything.
    private func pull(_ state: inout State) throws(TransportError) -> Bool {
        var space = state.incoming.mutableSpan
        let read: ChannelRead
        do throws(TransportError) {
            read = try below.read(into: &space)
        } catch {
            throw fail(&state, error)
        }
        switch read {
        case .bytes(let count):
            engine.receive(state.incoming.span.extracting(0..<count))
            return true
        case .nothing: return false
        case .end:
            state.isBelowAtEnd = true
            return false
        }
    }

    /// Gives the network what it takes.
    private func flush(_ state: inout State) {
        while state.sendError == nil {
            if state.start == state.end {
                var space = state.outgoing.mutableSpan
                (state.start, state.end) = (0, engine.takeLeaving(into: &space))
                if state.end == 0 { return }
            }
            do throws(TransportError) {
                let count = try below.write(state.outgoing.span.extracting(state.start..<state.end))
                if count == 0 { return }
                if !state.hasSent, case .handshaking = state.phase, !isServer {
                    state.phase = .handshaking(since: clock.monotonic())
                }
                state.hasSent = true
                state.start += count
            } catch {
                state.sendError = error
            }
        }
    }

    /// The peer hung up on us: if it said why, that is the error; what it sent before is there to be read first.
    private func explain(_ state: inout State, _ error: TransportError) throws(TransportError) {
        while true {
            switch engine.peek() {
            case .done: return
            case .failed(let failure): throw fail(&state, failure)
            case .end: throw fail(&state, error)
            case .wantsInput:
                do throws(TransportError) {
                    if try pull(&state) { continue }
                } catch {}
                throw fail(&state, error)
            }
        }
    }

    private func fail(_ state: inout State, _ failure: OpenSSLFailure) -> TransportError {
        fail(&state, TLSFailure.error(failure, own: own, address: peer))
    }

    /// Ends the connection, with what TLS has to say about it to the peer.
    private func fail(_ state: inout State, _ error: TransportError) -> TransportError {
        flush(&state)
        state.phase = .failed(error)
        below.close()
        return error
    }
}
