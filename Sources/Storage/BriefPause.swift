// Invariants
// * Nobody spins before a wait was short, nor for `holdOff` waits after one that spinning did not shorten.
// * Belongs to one thread.

/// How a thread waits for what may come at once: it keeps its core for a moment, as long as that has paid lately.
///
/// Waking a thread that sleeps on another core takes a system call on one side and some ten microseconds on the other: a good part of a
/// commit, where one task commits again and again. But a thread that spins is in the way of one that shares its core, which is why
/// a failure puts the next attempt off, each time twice as long.
package struct BriefPause: Sendable {
    /// About twice what it takes until a task whose write has settled goes on and writes again.
    private static let nanoseconds: UInt64 = 40_000
    private static let longestHoldOff = 512
    /// On one core nothing comes while a thread spins.
    private static let isUseful = WorkerThreads.cores > 1

    /// The last wait was short.
    private var isLikely = false
    /// How many waits go by without an attempt.
    private var holdOff = 0
    /// What the next failure makes of it.
    private var nextHoldOff = 1

    package init() {}

    /// As ``WakeSignal/wait(past:milliseconds:)``.
    @discardableResult
    package mutating func wait(for signal: WakeSignal, past ticket: UInt64, milliseconds: Int? = nil) -> Bool {
        guard Self.isUseful else { return signal.wait(past: ticket, milliseconds: milliseconds) }
        if isLikely, holdOff == 0 {
            if signal.spin(past: ticket, nanoseconds: Self.nanoseconds) {
                nextHoldOff = 1
                return true
            }
            holdOff = nextHoldOff
            nextHoldOff = min(2 * nextHoldOff, Self.longestHoldOff)
        } else {
            holdOff = max(0, holdOff - 1)
        }
        let clock = SystemClock()
        let start = clock.monotonic()
        let isWoken = signal.wait(past: ticket, milliseconds: milliseconds)
        isLikely = isWoken && clock.monotonic() &- start < Self.nanoseconds
        return isWoken
    }
}
