// Invariants
// * The sampling thread alone writes `peak`, and has ended when `stop` returns.

import Foundation
import Storage
import Synchronization

/// Looks at what another process holds of memory every five milliseconds; a shorter peak can hide.
final class MemoryWatch: Sendable {
    private let path: String
    private let peak = Mutex((anonymous: UInt64(0), resident: UInt64(0)))
    private let isOver = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Begins; where the system has no `/proc`, all figures are 0.
    init(of process: Int32) {
        path = "/proc/\(process)/status"
        let thread = Thread { [self] in
            while !isOver.load(ordering: .acquiring) {
                sample()
                Thread.sleep(forTimeInterval: 0.005)
            }
            ended.signal()
        }
        thread.start()
    }

    /// Ends; the peaks of RssAnon + RssShmem and of VmHWM, in KiB.
    func stop() -> (anonymous: UInt64, resident: UInt64) {
        isOver.store(true, ordering: .releasing)
        ended.wait()
        return peak.withLock { $0 }
    }

    private func sample() {
        // A file of /proc has no size, so a buffer is offered.
        guard let file = try? POSIXFileSystem().open(path, .read) else { return }
        defer { file.close() }
        var buffer = [UInt8](repeating: 0, count: 8_192)
        var span = buffer.mutableSpan
        guard let count = try? file.read(into: &span, at: 0) else { return }
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        func field(_ name: String) -> UInt64 {
            let line = lines.first { $0.hasPrefix(name) }
            return line.flatMap { UInt64($0.dropFirst(name.count).drop { $0 == "\t" || $0 == " " }.prefix { $0.isNumber }) }
                ?? 0
        }
        let (anonymous, resident) = (field("RssAnon:") + field("RssShmem:"), field("VmHWM:"))
        peak.withLock { $0 = (max($0.anonymous, anonymous), max($0.resident, resident)) }
    }
}
