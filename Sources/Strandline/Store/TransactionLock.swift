// Invariants
// * `committed` is set only while the lock is held: to the state that a transaction in progress began with, or to the whole state
//   while its holder waits for runs that are being written.
// * Who waits was counted in `waiting` before it looked, so that whoever lets the lock go knows to wake it.

import EventLog
import Projection
import Storage
import Synchronization

/// A lock that may be held for long: who only reads takes what was there before, where that will do, and does not wait.
final class TransactionLock: Sendable {
    private struct Committed {
        let state: FoldState
        /// Where the log is that the state has all of; nil for a transaction's, which will do wherever the log is by now.
        let position: LogPosition?
    }

    private let lock = Mutex(())
    private let committed = Mutex<Committed?>(nil)
    private let waiting = Atomic(0)
    private let released = WakeSignal()
    /// After so long a reader looks again, whoever forgot to wake it.
    private static let patienceMilliseconds = 20

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { wakeReaders() }
        return try lock.withLock { _ in try body() }
    }

    /// What `body` gives inside the lock, or what its holder lets readers have meanwhile.
    ///
    /// - Parameter position: where the log is that the reader wants all of.
    func read(at position: LogPosition, _ body: () throws -> FoldState) rethrows -> FoldState {
        if let state = try readNow(position, body) { return state }
        waiting.add(1, ordering: .sequentiallyConsistent)
        defer { waiting.subtract(1, ordering: .sequentiallyConsistent) }
        while true {
            let ticket = released.generation
            if let state = try readNow(position, body) { return state }
            released.wait(past: ticket, milliseconds: Self.patienceMilliseconds)
        }
    }

    private func readNow(_ position: LogPosition, _ body: () throws -> FoldState) rethrows -> FoldState? {
        if let held = committed.withLock({ $0 }), held.position.map({ $0 == position }) ?? true { return held.state }
        guard let state = try lock.withLockIfAvailable({ _ in try body() }) else { return nil }
        wakeReaders()
        return state
    }

    /// What readers get from here on; nil when the transaction, or the wait, has ended.
    func setCommitted(_ state: FoldState?, at position: LogPosition? = nil) {
        committed.withLock { $0 = state.map { Committed(state: $0, position: position) } }
        if state != nil { wakeReaders() }
    }

    private func wakeReaders() {
        if waiting.load(ordering: .sequentiallyConsistent) > 0 { released.advance() }
    }
}
