// Invariants
// * The mapping covers `words` words for the life of this object; it survives removal of the file.
// * Every access is a single atomic operation on an aligned 64-bit word, so no lock is needed.
// * The file is never cut shorter by us: a shorter file under a mapping would kill the process.

import CSystem

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file mapped into the memory of every process that opens it.
///
/// `@unchecked Sendable`: the pointer is constant, and the memory is accessed with atomic operations only.
@safe final class POSIXSharedPage: SharedPage, @unchecked Sendable {
    let words: Int
    private let base: UnsafeMutablePointer<UInt64>

    init(path: String, words: Int) throws(StorageError) {
        precondition(words > 0 && words <= 1 << 20, "a shared page has between 1 and 2^20 words")
        let length = words * MemoryLayout<UInt64>.size
        let descriptor = try SystemCall.open(path, flags: O_RDWR | O_CREAT, "map")
        defer { _ = close(descriptor) }
        var facts = stat()
        try SystemCall.check("map", path: path) { unsafe fstat(descriptor, &facts) }
        if facts.st_size < off_t(length) {
            // Two processes may both get here: both set the same length, and neither cuts anything.
            try SystemCall.check("map", path: path) { ftruncate(descriptor, off_t(length)) }
        }
        #if canImport(Glibc)
        // A hole would be filled on first use, and a full disk then kills the process instead of failing a call.
        let number = posix_fallocate(descriptor, 0, off_t(length))
        if number != 0, number != EOPNOTSUPP, number != EINVAL, number != EINTR {
            throw StorageError(errno: number, "map", path: path)
        }
        #endif
        let address = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let address = unsafe address, unsafe address != MAP_FAILED else {
            throw StorageError(errno: errno, "map", path: path)
        }
        self.words = words
        unsafe base = address.bindMemory(to: UInt64.self, capacity: words)
    }

    deinit { _ = unsafe munmap(base, words * MemoryLayout<UInt64>.size) }

    func load(_ word: Int) -> UInt64 {
        precondition(word >= 0 && word < words, "a word must lie in the page")
        return unsafe csystem_atomic_load(base + word)
    }

    func store(_ value: UInt64, at word: Int) {
        precondition(word >= 0 && word < words, "a word must lie in the page")
        unsafe csystem_atomic_store(base + word, value)
    }

    @discardableResult
    func add(_ value: UInt64, at word: Int) -> UInt64 {
        precondition(word >= 0 && word < words, "a word must lie in the page")
        return unsafe csystem_atomic_add(base + word, value)
    }
}
