// Invariants
// * All state is under `state`'s lock; `wake` is called without it.
// * One thread per child runs `keep`, from the start until the child was reaped. It alone reads the child's standard error, signals
//   and reaps it. So the child never waits for somebody to read its errors, and no zombie is left.
// * Once `isExpectedToEnd`, the child has lost its input; it is given `grace`, then SIGTERM, and after `patience` more SIGKILL.

import Storage
import Synchronization

/// Listens to what a child process says on standard error, and sees it to its end.
final class ChildKeeper: Sendable {
    private struct State {
        var lines = LastLines()
        var isExpectedToEnd = false
        var ending: ChildProcess.Ending?
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let poller: Poller
    private let clock = SystemClock()

    static let grace: UInt64 = 1_000_000_000
    static let patience: UInt64 = 4_000_000_000

    init() throws(TransportError) { poller = try Poller() }

    /// How the child ended, once it has.
    var ending: ChildProcess.Ending? { state.withLock { $0.ending } }

    /// What the child said last.
    var lastLines: String { state.withLock { $0.lines.text } }

    /// Gives what to call once the child has ended.
    func onEnd(_ wake: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            state.wake = wake
            return state.ending != nil
        }
        if hasEnded { wake() }
    }

    /// The child has closed its end, or we ours: it should end soon.
    func expectEnd() {
        let isNew = state.withLock { state in
            defer { state.isExpectedToEnd = true }
            return !state.isExpectedToEnd
        }
        if isNew { poller.wake() }
    }

    /// Runs until the child has ended.
    func keep(_ child: ChildProcess, errors: Descriptor) {
        var hasErrors = true
        var expectedSince: UInt64?
        var signals = 0
        var pause: UInt64 = 1_000_000
        while true {
            let isExpected = state.withLock { $0.isExpectedToEnd }
            if isExpected, expectedSince == nil { expectedSince = clock.monotonic() }
            let interests = hasErrors ? [PollInterest(descriptor: errors.number, read: true, write: false)] : []
            // Who said all it had to say ends soon, as a rule; and the end of a process is nothing one could poll for.
            let isEnding = isExpected || !hasErrors
            // A system that cannot poll any more leaves the pauses.
            _ = try? poller.wait(interests, nanoseconds: isEnding ? pause : nil)
            if isEnding { pause = min(pause * 2, 50_000_000) }
            if hasErrors { hasErrors = listen(errors) }
            if let ending = child.reap() {
                if hasErrors { _ = listen(errors) }
                return end(ending)
            }
            guard let expectedSince else { continue }
            let waited = clock.monotonic() &- expectedSince
            if signals == 0, waited >= Self.grace {
                child.ask()
                signals = 1
            } else if signals == 1, waited >= Self.grace + Self.patience {
                child.force()
                signals = 2
            }
        }
    }

    private func end(_ ending: ChildProcess.Ending) {
        let wake = state.withLock { state in
            state.ending = ending
            defer { state.wake = nil }
            return state.wake
        }
        wake?()
    }

    /// Takes what there is; returns whether there may be more.
    private func listen(_ errors: Descriptor) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            var space = buffer.mutableSpan
            switch errors.read(into: &space) {
            case .success(0): return false
            case .success(let count): state.withLock { $0.lines.append(buffer.span.extracting(0..<count)) }
            case .failure: return true
            }
        }
    }
}
