// Invariants
// * Changes are made to the live file and noted in the journal under the lock of the file system's state, so both have one
//   order.
// * `lock()` waits outside that lock.

import Storage
import Synchronization

/// An open file of a ``SimulatedFileSystem``.
final class SimulatedFile: File {
    private let file: InMemoryFile
    private let owner: SimulatedFileSystem

    init(file: InMemoryFile, owner: SimulatedFileSystem) {
        self.file = file
        self.owner = owner
    }

    var path: String { file.path }

    func size() throws(StorageError) -> UInt64 {
        try perform(.read, "read the size of")
        return try file.size()
    }

    func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(StorageError) -> Int {
        try perform(.read, "read", offset: offset)
        return try file.read(into: &buffer, at: offset)
    }

    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StorageError) {
        let operation = "write \(bytes.count) bytes to"
        try owner.withState { (state) throws(StorageError) in
            guard let fault = try state.firing(.write, operation, path, isChange: !bytes.isEmpty) else {
                return try record(bytes, at: offset, &state)
            }
            if case .writesPrefix(let count) = fault.effect, count > 0 {
                try record(bytes.extracting(0..<min(count, bytes.count)), at: offset, &state)
            }
            throw fault.error(operation, path, offset: offset)
        }
    }

    private func record(
        _ bytes: Span<UInt8>, at offset: UInt64, _ state: inout SimulatedFileSystem.State
    ) throws(StorageError) {
        try file.write(bytes, at: offset)
        guard !bytes.isEmpty else { return }
        var copy = ByteWriter(capacity: bytes.count)
        copy.raw(bytes)
        state.journal.record(.write(file: file.number, offset: Int(offset), bytes: copy.bytes), at: owner.live.time)
    }

    func truncate(to size: UInt64) throws(StorageError) {
        try owner.withState { (state) throws(StorageError) in
            try state.perform(.truncate, "set the length to \(size) of", path)
            try file.truncate(to: size)
            state.journal.record(.resize(file: file.number, size: Int(size)), at: owner.live.time)
        }
    }

    func sync() throws(StorageError) {
        try owner.withState { (state) throws(StorageError) in
            let isChange = state.journal.hasPieces(ofFile: file.number)
            if let fault = try state.firing(.sync, "sync", path, isChange: isChange) {
                if fault.effect == .losesUnsynced { state.journal.lose(file: file.number) }
                throw fault.error("sync", path)
            }
            try file.sync()
            state.journal.sync(file: file.number)
        }
    }

    func dropCache() {
        owner.state.withLock { state in
            guard !state.isCut, let bytes = state.journal.forgetCache(ofFile: file.number) else { return }
            owner.live.withTree { $0.updateBytes(of: file.number) { $0 = bytes } }
        }
    }

    func tryLock() throws(StorageError) -> Bool {
        try perform(.lock, "lock")
        return try file.tryLock()
    }

    func lock() throws(StorageError) {
        try perform(.lock, "lock")
        try file.lock()
    }

    func unlock() throws(StorageError) {
        try perform(.lock, "unlock")
        try file.unlock()
    }

    func close() { file.close() }

    private func perform(_ kind: OperationKinds, _ operation: String, offset: UInt64? = nil) throws(StorageError) {
        try owner.withState { (state) throws(StorageError) in
            try state.perform(kind, operation, path, offset: offset)
        }
    }
}
