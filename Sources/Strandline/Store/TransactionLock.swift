// Invariants
// * `committed` is set only while a transaction holds the lock: it is the state that the transaction began with.
// * Who waits was counted in `waiting` before it looked, so that whoever lets the lock go knows to wake it.

import Projection
import Storage
import Synchronization

/// A lock that a transaction may hold for long: who only reads takes what was there before it, and does not wait.
final class TransactionLock: Sendable {
    private let lock = Mutex(())
    private let committed = Mutex<FoldState?>(nil)
    private let waiting = Atomic(0)
    private let released = WakeSignal()
    /// After so long a reader looks again, whoever forgot to wake it.
    private static let patienceMilliseconds = 20

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { wakeReaders() }
        return try lock.withLock { _ in try body() }
    }

    /// What `body` gives inside the lock, or what the transaction began with that is inside.
    func read(_ body: () throws -> FoldState) rethrows -> FoldState {
        if let state = try readNow(body) { return state }
        waiting.add(1, ordering: .sequentiallyConsistent)
        defer { waiting.subtract(1, ordering: .sequentiallyConsistent) }
        while true {
            let ticket = released.generation
            if let state = try readNow(body) { return state }
            released.wait(past: ticket, milliseconds: Self.patienceMilliseconds)
        }
    }

    private func readNow(_ body: () throws -> FoldState) rethrows -> FoldState? {
        if let state = committed.withLock({ $0 }) { return state }
        guard let state = try lock.withLockIfAvailable({ _ in try body() }) else { return nil }
        wakeReaders()
        return state
    }

    /// What readers get from here on; nil when the transaction has ended.
    func setCommitted(_ state: FoldState?) {
        committed.withLock { $0 = state }
        if state != nil { wakeReaders() }
    }

    private func wakeReaders() {
        if waiting.load(ordering: .sequentiallyConsistent) > 0 { released.advance() }
    }
}
