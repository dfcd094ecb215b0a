import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Invariant: while `cancelling` runs, SIGINT and SIGTERM cancel its work; before and after they end the process as usual.

/// Work that goes on until the user has had enough.
enum Interruption {
    private static let signals = [SIGINT, SIGTERM]

    /// Runs `body` in a task that is cancelled by SIGINT, by SIGTERM, with the caller's task, and after a time.
    ///
    /// - Parameter seconds: nil for no limit.
    static func cancelling(after seconds: Double?, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await body() }
        let sources = signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        let timer = seconds.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                task.cancel()
            }
        }
        defer {
            timer?.cancel()
            for source in sources { source.cancel() }
            for number in signals { signal(number, SIG_DFL) }
        }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
