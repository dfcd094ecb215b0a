// Invariants
// * Everything but the closed flag is constant; contents live in the file system, under its lock.
// * Reads copy outside the lock, from a copy of the file's chunk table.

import Synchronization

/// An open file of an ``InMemoryFileSystem``.
package final class InMemoryFile: File {
    package let path: String
    /// The number of the file, as attributes give it.
    package let number: UInt64
    private let handle: UInt64
    private let epoch: Int
    private let isWritable: Bool
    private let owner: InMemoryFileSystem
    private let isClosed = Atomic(false)

    init(path: String, number: UInt64, handle: UInt64, epoch: Int, isWritable: Bool, owner: InMemoryFileSystem) {
        self.path = path
        self.number = number
        self.handle = handle
        self.epoch = epoch
        self.isWritable = isWritable
        self.owner = owner
    }

    deinit { close() }

    package func size() throws(StorageError) -> UInt64 {
        UInt64(try contents("read the size of").count)
    }

    package func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(StorageError) -> Int {
        let bytes = try contents("read")
        guard let offset = Int(exactly: offset) else { return 0 }
        return bytes.read(into: &buffer, at: offset)
    }

    package func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StorageError) {
        let start = try Self.position(offset, plus: bytes.count, "write \(bytes.count) bytes to", path)
        try change("write to") { state in
            if !bytes.isEmpty { state.tree.write(bytes, to: number, at: start) }
        }
    }

    package func truncate(to size: UInt64) throws(StorageError) {
        let size = try Self.position(size, plus: 0, "set the length to \(size) of", path)
        try change("set the length of") { $0.tree.updateBytes(of: number) { $0.truncate(to: size) } }
    }

    package func sync() throws(StorageError) { try withState("sync") { _ in } }

    package func dropCache() {}

    package func tryLock() throws(StorageError) -> Bool {
        try withState("lock") { state in
            let holder = state.locks[number] ?? handle
            state.locks[number] = holder
            return holder == handle
        }
    }

    package func lock() throws(StorageError) {
        while true {
            let ticket = owner.lockSignal.generation
            if try tryLock() { return }
            owner.lockSignal.wait(past: ticket)
        }
    }

    package func unlock() throws(StorageError) {
        try withState("unlock") { releaseLock(&$0) }
        owner.lockSignal.advance()
    }

    package func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        owner.state.withLock { state in
            guard state.epoch == epoch else { return }
            releaseLock(&state)
            state.closeHandle(of: number)
        }
        owner.lockSignal.advance()
    }

    private func releaseLock(_ state: inout InMemoryFileSystem.State) {
        if state.locks[number] == handle { state.locks[number] = nil }
    }

    private func contents(_ operation: String) throws(StorageError) -> SparseBytes {
        try withState(operation) { state in
            var bytes = state.tree.bytes(of: number) ?? SparseBytes()
            if let words = state.pages[number] { bytes.write(words.bytes.span, at: 0) }
            return bytes
        }
    }

    private func change(
        _ operation: String, _ body: (inout InMemoryFileSystem.State) -> Void
    ) throws(StorageError) {
        guard isWritable || isClosed.load(ordering: .acquiring) else { throw .openForReadingOnly(operation, path) }
        try withState(operation) { state in
            body(&state)
            state.wakeWatchers(ofDirectoriesNaming: number)
        }
    }

    private func withState<Result: Sendable>(
        _ operation: String, _ body: (inout InMemoryFileSystem.State) -> Result
    ) throws(StorageError) -> Result {
        try owner.state.withLock { (state) throws(StorageError) -> Result in
            guard !isClosed.load(ordering: .acquiring), state.epoch == epoch else {
                throw StorageError(.closed, operation, path: path)
            }
            return body(&state)
        }
    }

    private static func position(
        _ offset: UInt64, plus count: Int, _ operation: String, _ path: String
    ) throws(StorageError) -> Int {
        guard let position = Int(exactly: offset), position <= Int.max - count else {
            throw StorageError(.fileTooLarge, operation, path: path, offset: offset)
        }
        return position
    }
}
