import Synchronization

// Invariants
// * Data (standard output) and talk (standard error) never mix. Data is buffered up to 64 KiB and flushed before talk is
//   written, so that a person who sees both sees them in order.
// * At most one status line is drawn at a time; it is erased before talk or data is written and redrawn by the next tick.
// * `state` is guarded by its mutex; streams are written with the lock held, which keeps lines whole.

/// Where a command puts what it has to say: data for programs, talk for people.
package final class Terminal: Sendable {
    /// How progress is shown.
    package enum ProgressStyle: Sendable {
        /// One line, redrawn: a person watches.
        case bar
        /// A line every few seconds: a log is kept.
        case plain
        case silent
    }

    private struct State {
        var pending = ""
        var hasStatus = false
    }

    private static let bufferSize = 64 << 10

    /// How progress is shown unless a command insists.
    package let progressStyle: ProgressStyle
    /// Time since the terminal was made.
    package let elapsed: @Sendable () -> Duration
    private let output: any TextStream
    private let talk: any TextStream
    private let state = Mutex(State())

    /// A terminal over two streams; `elapsed` tells the time for progress.
    package init(
        output: any TextStream, talk: any TextStream, plainProgress: Bool, elapsed: @escaping @Sendable () -> Duration
    ) {
        self.output = output
        self.talk = talk
        self.elapsed = elapsed
        progressStyle = plainProgress ? .plain : talk.isTerminal ? .bar : .silent
    }

    /// Whether a person watches the data.
    package var isWatched: Bool { output.isTerminal }

    /// Writes lines of data to standard output.
    package func data(_ lines: String) { text(lines + "\n") }

    /// Writes data that brings its own line breaks.
    package func text(_ text: String) {
        state.withLock { state in
            state.pending += text
            if state.pending.utf8.count >= Self.bufferSize || output.isTerminal { flush(&state) }
        }
    }

    /// Writes data that is no text.
    package func bytes(_ bytes: [UInt8]) {
        state.withLock { state in
            flush(&state)
            output.write(bytes)
        }
    }

    /// Writes lines of talk to standard error.
    package func say(_ lines: String) {
        state.withLock { state in
            flush(&state)
            eraseStatus(&state)
            talk.write(lines + "\n")
        }
    }

    /// Hands buffered data to the system.
    ///
    /// Called once when a command ends, and whenever a reader should see a line now.
    package func flush() {
        state.withLock { flush(&$0) }
    }

    /// Starts to show the progress of some work.
    ///
    /// - Parameters:
    ///   - title: What is being done: "import quakes.json".
    ///   - total: How much there is to do; nil when nobody knows.
    ///   - unit: What is counted.
    ///   - insist: Shows plain lines even where nobody seems to watch (the demo).
    /// - Returns: What to tell about the work, and to end when it is over.
    package func progress(_ title: String, total: UInt64?, unit: ProgressLine.Unit, insist: Bool = false) -> ProgressBar {
        let style: ProgressStyle = if insist, progressStyle == .silent { .plain } else { progressStyle }
        return ProgressBar(ProgressLine(title: title, total: total, unit: unit), on: self, style: style)
    }

    /// Redraws the status line; nil erases it.
    package func status(_ line: String?) {
        state.withLock { state in
            flush(&state)
            eraseStatus(&state)
            guard let line else { return }
            talk.write(line)
            state.hasStatus = true
        }
    }

    private func flush(_ state: inout State) {
        guard !state.pending.isEmpty else { return }
        if output.isTerminal { eraseStatus(&state) }
        output.write(state.pending)
        state.pending = ""
    }

    private func eraseStatus(_ state: inout State) {
        guard state.hasStatus else { return }
        talk.write("\r\u{1B}[K")
        state.hasStatus = false
    }
}
