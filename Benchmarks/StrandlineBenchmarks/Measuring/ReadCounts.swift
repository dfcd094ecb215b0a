import Foundation

/// What this process has read from files so far, as the system counts it.
struct ReadCounts {
    var calls: UInt64 = 0
    var bytes: UInt64 = 0

    /// Zeros where the system does not say.
    static func now() -> ReadCounts {
        var counts = ReadCounts()
        for line in (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8))?.split(separator: "\n") ?? [] {
            let number = line.split(separator: " ").last.flatMap { UInt64($0) } ?? 0
            if line.hasPrefix("syscr:") { counts.calls = number }
            if line.hasPrefix("rchar:") { counts.bytes = number }
        }
        return counts
    }

    /// What `body` reads, without what asking takes.
    static func during<Result>(_ body: () throws -> Result) rethrows -> (result: Result, counts: ReadCounts) {
        let (before, first) = (now(), now())
        let result = try body()
        let after = now()
        let asking = ReadCounts(calls: first.calls - before.calls, bytes: first.bytes - before.bytes)
        return (
            result,
            ReadCounts(
                calls: after.calls - first.calls - asking.calls, bytes: after.bytes &- first.bytes &- asking.bytes)
        )
    }
}
