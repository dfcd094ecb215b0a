// Invariants
// * The sampling thread alone writes `peak`, and has ended when `stop` returns.

import Foundation
import Storage
import Synchronization

/// Looks at what another process holds of memory, and moves to and from the disk, every five milliseconds; a shorter peak can hide.
final class MemoryWatch: Sendable {
    /// In KiB, and in bytes.
    struct Seen: Sendable {
        var anonymous: UInt64 = 0
        var resident: UInt64 = 0
        var read: UInt64 = 0
        var written: UInt64 = 0
    }

    private let directory: String
    private let peak = Mutex(Seen())
    private let isOver = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Begins; where the system has no `/proc`, all figures are 0.
    init(of process: Int32) {
        directory = "/proc/\(process)"
        let thread = Thread { [self] in
            while !isOver.load(ordering: .acquiring) {
                sample()
                Thread.sleep(forTimeInterval: 0.005)
            }
            ended.signal()
        }
        thread.start()
    }

    /// Ends; the peaks of RssAnon + RssShmem and of VmHWM, and what was read and written.
    func stop() -> Seen {
        isOver.store(true, ordering: .releasing)
        ended.wait()
        return peak.withLock { $0 }
    }

    private func sample() {
        let status = lines("status")
        let io = lines("io")
        peak.withLock { seen in
            seen.anonymous = max(seen.anonymous, Self.field("RssAnon:", status) + Self.field("RssShmem:", status))
            seen.resident = max(seen.resident, Self.field("VmHWM:", status))
            seen.read = max(seen.read, Self.field("read_bytes:", io))
            seen.written = max(seen.written, Self.field("write_bytes:", io))
        }
    }

    private func lines(_ name: String) -> [Substring] {
        // A file of /proc has no size, so a buffer is offered.
        guard let file = try? POSIXFileSystem().open("\(directory)/\(name)", .read) else { return [] }
        defer { file.close() }
        var buffer = [UInt8](repeating: 0, count: 8_192)
        var span = buffer.mutableSpan
        guard let count = try? file.read(into: &span, at: 0) else { return [] }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
    }

    private static func field(_ name: String, _ lines: [Substring]) -> UInt64 {
        let line = lines.first { $0.hasPrefix(name) }
        return line.flatMap { UInt64($0.dropFirst(name.count).drop { $0 == "\t" || $0 == " " }.prefix { $0.isNumber }) } ?? 0
    }
}
