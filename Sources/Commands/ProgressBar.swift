import Synchronization

// Invariants
// * Work that ends within a second shows nothing; a bar is drawn at most ten times a second, a plain line every three seconds.
// * `state` is guarded by its mutex. The terminal is called with it held; the terminal never calls back.

/// Shows the progress of one piece of work on a terminal.
///
/// May be moved from any thread.
package final class ProgressBar: Sendable {
    private struct State {
        var line: ProgressLine
        var nextDraw: Duration
        var shown = false
    }

    private static let firstDraw = Duration.seconds(1)
    private static let redraw = Duration.milliseconds(100)
    private static let plainInterval = Duration.seconds(3)

    private let terminal: Terminal
    private let style: Terminal.ProgressStyle
    private let start: Duration
    private let state: Mutex<State>

    /// Starts now; ``Terminal/progress(_:total:unit:insist:)`` chooses the style.
    package init(_ line: ProgressLine, on terminal: Terminal, style: Terminal.ProgressStyle) {
        self.terminal = terminal
        self.style = style
        start = terminal.elapsed()
        state = Mutex(State(line: line, nextDraw: start + Self.firstDraw))
    }

    /// So much more is done.
    package func advance(by amount: UInt64) {
        update { $0.done += amount }
    }

    /// So much is done, of so much if that has become known.
    package func update(done: UInt64, total: UInt64? = nil) {
        update {
            $0.done = done
            if let total { $0.total = total }
        }
    }

    /// Ends the display; what took long enough to be shown leaves one line.
    package func finish() {
        guard style != .silent else { return }
        state.withLock { state in
            guard state.shown else { return }
            terminal.say(state.line.summary(after: terminal.elapsed() - start))
            state.shown = false
        }
    }

    private func update(_ change: (inout ProgressLine) -> Void) {
        guard style != .silent else { return }
        state.withLock { state in
            change(&state.line)
            let now = terminal.elapsed()
            guard now >= state.nextDraw else { return }
            state.shown = true
            let time = now - start
            if style == .bar {
                terminal.status(state.line.bar(after: time))
                state.nextDraw = now + Self.redraw
            } else {
                terminal.say(state.line.plain(after: time))
                state.nextDraw = now + Self.plainInterval
            }
        }
    }
}
