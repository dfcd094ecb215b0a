// Invariants
// * Only the sampling thread writes `state.anon` and `state.highWater`; `stop` returns after it has ended.

import Dispatch
import Foundation
import Storage
import Synchronization

/// Samples what the process holds of memory every 5 ms, on a thread of its own; a shorter peak can hide.
final class MemorySampler: Sendable {
    struct Peak: Sendable {
        /// RssAnon + RssShmem, KiB: what a process under a memory limit cannot give back.
        var anon: UInt64 = 0
        /// VmHWM, KiB: mapped files count as well.
        var highWater: UInt64 = 0
    }

    private let state = Mutex(Peak())
    private let isStopping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init() {
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let thread = Thread { [self] in
            while !isStopping.load(ordering: .relaxed) {
                sample()
                Thread.sleep(forTimeInterval: 0.005)
            }
            sample()
            ended.signal()
        }
        thread.start()
    }

    /// Ends the sampling.
    func stop() -> Peak {
        isStopping.store(true, ordering: .relaxed)
        ended.wait()
        return state.withLock { $0 }
    }

    private func sample() {
        // A file of /proc has no size, so a buffer is offered.
        guard let file = try? POSIXFileSystem().open("/proc/self/status", .read) else { return }
        defer { file.close() }
        var buffer = [UInt8](repeating: 0, count: 8192)
        var span = buffer.mutableSpan
        guard let count = try? file.read(into: &span, at: 0) else { return }
        let status = buffer[..<count]
        let anon = Self.field("RssAnon:", status) + Self.field("RssShmem:", status)
        let highWater = Self.field("VmHWM:", status)
        state.withLock {
            $0.anon = max($0.anon, anon)
            $0.highWater = highWater
        }
    }

    /// The number after a name; bytes are looked at, not strings, since this runs beside what is measured.
    private static func field(_ name: StaticString, _ status: ArraySlice<UInt8>) -> UInt64 {
        let name = Array(name.description.utf8)
        guard let first = name.first else { return 0 }
        var position = 0
        while position + name.count < status.count {
            if status[position] == first, status[position..<position + name.count].elementsEqual(name) {
                return status[(position + name.count)...].drop { $0 == 32 || $0 == 9 }.prefix { 48...57 ~= $0 }
                    .reduce(0) { $0 * 10 + UInt64($1 - 48) }
            }
            position += 1
        }
        return 0
    }
}
