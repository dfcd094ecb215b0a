// Invariants
// * NEXT is held only while waiting for LOCK, so whoever holds LOCK sees in NEXT whether somebody waits.
// * Both locks end with the process that holds them.

import Storage

/// The lock that one writing process of a store holds at a time, handed over in turn: SPEC.md, section 6.
struct WriterLock: Sendable {
    private let lock: any File
    private let next: any File

    init(layout: StoreLayout, in fileSystem: any FileSystem) throws(StorageError) {
        lock = try fileSystem.open(layout.lock, .readWrite)
        next = try fileSystem.open(layout.next, .create)
    }

    /// Waits in turn, then holds the lock.
    func acquire() throws(StorageError) {
        try next.lock()
        do throws(StorageError) {
            try lock.lock()
        } catch {
            try? next.unlock()
            throw error
        }
        try next.unlock()
    }

    /// Takes the lock if nobody has it or waits for it.
    func tryAcquire() throws(StorageError) -> Bool {
        guard try next.tryLock() else { return false }
        let taken = try lock.tryLock()
        try next.unlock()
        return taken
    }

    /// Whether another process waits.
    ///
    /// The caller holds the lock.
    func isContended() throws(StorageError) -> Bool {
        guard try next.tryLock() else { return true }
        try next.unlock()
        return false
    }

    func release() throws(StorageError) { try lock.unlock() }

    func close() {
        lock.close()
        next.close()
    }
}
