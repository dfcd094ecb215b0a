// Invariants
// * A buffer belongs to one place at a time: the caller, `full`, the worker, or `free`; at most `limit` exist.
// * With a worker, only it touches the file between `init` and the return of `finish` or `cancel`; it makes the same calls in
//   the same order as without one.
// * After the first failure nothing more is written; buffers still come back, so nobody waits for ever.
// * `state` is never locked while a file is written or a thread waits.

import Storage
import Synchronization

/// Writes a file from front to end on a thread of its own, so that the caller can hash the next piece meanwhile.
///
/// One caller. Memory is bounded by `limit` buffers. End it by ``finish()`` or ``cancel()``.
final class WriteBehind: Sendable {
    private struct State {
        var full: [(bytes: [UInt8], count: Int)] = []
        var free: [[UInt8]] = []
        var made = 0
        var isEnding = false
        var isDone = false
        var failure: StorageError?
        var offset: UInt64 = 0
    }

    private static let limit = 4

    private let file: any File
    private let buffers: ChunkBuffers
    /// Constant once `init` has returned.
    private let hasWorker = Atomic(false)
    private let state = Mutex(State())
    private let changed = WakeSignal()

    /// Without a worker (`concurrently` false), ``put(_:count:)`` writes before it returns.
    init(_ file: any File, _ buffers: ChunkBuffers, concurrently: Bool) {
        self.file = file
        self.buffers = buffers
        guard concurrently else { return }
        // Without a thread it is slower, and does the same.
        let isStarted = (try? WorkerThreads.run { [self] in work() }) != nil
        hasWorker.store(isStarted, ordering: .relaxed)
    }

    /// A buffer of a chunk's size to fill.
    ///
    /// Waits while all are on their way to the file.
    func take() throws(StorageError) -> [UInt8] {
        while true {
            let ticket = changed.generation
            let (buffer, isRoom, failure) = state.withLock { state -> ([UInt8]?, Bool, StorageError?) in
                if let failure = state.failure { return (nil, false, failure) }
                if let buffer = state.free.popLast() { return (buffer, false, nil) }
                guard state.made < Self.limit else { return (nil, false, nil) }
                state.made += 1
                return (nil, true, nil)
            }
            if let failure { throw failure }
            if let buffer { return buffer }
            if isRoom { return buffers.take() }
            changed.wait(past: ticket)
        }
    }

    /// Hands over the first `count` bytes of a buffer from ``take()``, to be written after those before.
    func put(_ buffer: consuming [UInt8], count: Int) {
        let bytes = buffer
        state.withLock { $0.full.append((bytes, count)) }
        if hasWorker.load(ordering: .relaxed) { changed.advance() } else { _ = writeNext() }
    }

    /// Waits until everything is written.
    func finish() throws(StorageError) {
        cancel()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Waits until the file is left alone, after an error of the caller's own.
    func cancel() {
        state.withLock { $0.isEnding = true }
        defer {
            buffers.giveBack(
                state.withLock { state in
                    defer { state.free = [] }
                    return state.free
                })
        }
        guard hasWorker.load(ordering: .relaxed) else { return }
        changed.advance()
        while true {
            let ticket = changed.generation
            if state.withLock({ $0.isDone }) { return }
            changed.wait(past: ticket)
        }
    }

    private func work() {
        while true {
            let ticket = changed.generation
            if writeNext() { continue }
            let isDone = state.withLock { state in
                state.isDone = state.isEnding && state.full.isEmpty
                return state.isDone
            }
            if isDone { return changed.advance() }
            changed.wait(past: ticket)
        }
    }

    /// Writes the first full buffer; returns whether there was one.
    private func writeNext() -> Bool {
        let next = state.withLock { state -> (bytes: [UInt8], count: Int, offset: UInt64, isBroken: Bool)? in
            guard !state.full.isEmpty else { return nil }
            let (bytes, count) = state.full.removeFirst()
            defer { state.offset += UInt64(count) }
            return (bytes, count, state.offset, state.failure != nil)
        }
        guard let next else { return false }
        var failure: StorageError?
        if !next.isBroken {
            do throws(StorageError) {
                try file.write(next.bytes.span.extracting(0..<next.count), at: next.offset)
            } catch {
                failure = error
            }
        }
        state.withLock { state in
            state.free.append(next.bytes)
            if let failure { state.failure = failure }
        }
        if hasWorker.load(ordering: .relaxed) { changed.advance() }
        return true
    }
}
