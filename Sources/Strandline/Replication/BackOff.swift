/// How long to wait before the next attempt: ever longer after failures in a row, and never exactly as long as others that failed at
/// the same moment.
///
/// "Equal jitter" of Marc Brooker, "Exponential Backoff and Jitter" (AWS Architecture Blog, 2015): half of the time is fixed, half is
/// drawn.
struct BackOff {
    private let shortest: UInt64
    private let longest: UInt64
    private(set) var failures = 0

    /// - Parameters: in milliseconds.
    init(shortest: UInt64 = 500, longest: UInt64 = 60_000) {
        self.shortest = shortest
        self.longest = longest
    }

    mutating func succeeded() { failures = 0 }

    /// Notes a failure; the milliseconds to wait.
    ///
    /// - Parameter chance: a random word.
    mutating func failed(chance: UInt64) -> UInt64 {
        let most = min(longest, shortest << UInt64(min(failures, 20)))
        failures += 1
        return most / 2 + chance % (most / 2 + 1)
    }
}
