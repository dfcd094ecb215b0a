// Invariants
// * All state is under `state`'s lock; nobody's `wake` is called while it is held.
// * `sent[side]` holds what `side` wrote and the other side has not read. Once `isClosed[side]`, that side adds nothing.
// * A side is told when the other one made something possible that was not: bytes where there were none, room where there
//   was none, or the end.

import Synchronization

/// What two ends of a pair share.
final class PairLink: Sendable {
    private struct State {
        var sent: [RingBuffer]
        var isClosed = [false, false]
        var wakes: [(@Sendable () -> Void)?] = [nil, nil]
    }

    private let state: Mutex<State>

    init(capacity: Int) {
        state = Mutex(State(sent: [RingBuffer(capacity: capacity), RingBuffer(capacity: capacity)]))
    }

    func read(side: Int, into buffer: inout MutableSpan<UInt8>, peer: String) throws(TransportError) -> ChannelRead {
        let other = 1 - side
        let (result, wake) = try state.withLock { state throws(TransportError) -> (ChannelRead, (@Sendable () -> Void)?) in
            guard !state.isClosed[side] else { throw .closedHere(peer) }
            let wasFull = state.sent[other].isFull
            let count = state.sent[other].read(into: &buffer)
            if count == 0 { return (state.isClosed[other] ? .end : .nothing, nil) }
            return (.bytes(count), wasFull ? state.wakes[other] : nil)
        }
        wake?()
        return result
    }

    func write(side: Int, _ bytes: Span<UInt8>, peer: String) throws(TransportError) -> Int {
        let other = 1 - side
        let (taken, wake) = try state.withLock { state throws(TransportError) -> (Int, (@Sendable () -> Void)?) in
            guard !state.isClosed[side] else { throw .closedHere(peer) }
            guard !state.isClosed[other] else { throw .brokeOff(peer) }
            let wasEmpty = state.sent[side].count == 0
            let taken = state.sent[side].write(bytes)
            return (taken, wasEmpty && taken > 0 ? state.wakes[other] : nil)
        }
        wake?()
        return taken
    }

    func check(side: Int, peer: String) throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            guard !state.isClosed[side] else { throw .closedHere(peer) }
        }
    }

    func onChange(side: Int, _ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wakes[side] = wake }
        // Whatever came about before it was given.
        wake()
    }

    func close(side: Int) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isClosed[side] else { return nil }
            state.isClosed[side] = true
            state.wakes[side] = nil
            return state.wakes[1 - side]
        }
        wake?()
    }
}
