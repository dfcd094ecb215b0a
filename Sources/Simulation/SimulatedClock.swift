public import Storage
import Synchronization

/// A clock that stands still until it is told to move.
public final class SimulatedClock: WallClock {
    fileprivate struct State {
        var now: UInt64
        var monotonic: UInt64
        var step: UInt64
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - now: Milliseconds since 1970. The default is 2026-01-01T00:00:00Z.
    ///   - step: Milliseconds by which every look at the time moves it.
    public init(now: UInt64 = 1_767_225_600_000, step: UInt64 = 0) {
        state = Mutex(State(now: now, monotonic: 0, step: step))
    }

    public func now() -> UInt64 {
        state.withLock { state in
            defer { state.advance(state.step) }
            return state.now
        }
    }

    public func monotonic() -> UInt64 { state.withLock { $0.monotonic } }

    /// Lets time pass, on both clocks.
    public func advance(milliseconds: UInt64) { state.withLock { $0.advance(milliseconds) } }

    /// Sets the time of day, forwards or back, as a person or a time server does; the monotonic clock goes on.
    public func set(now: UInt64) { state.withLock { $0.now = now } }
}

extension SimulatedClock.State {
    fileprivate mutating func advance(_ milliseconds: UInt64) {
        now &+= milliseconds
        monotonic &+= milliseconds &* 1_000_000
    }
}
