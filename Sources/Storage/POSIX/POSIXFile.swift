// Invariants
// * `descriptor` is valid while `usage` counts a user, or the file is not closed; it is closed exactly once, by the last of
//   them. So a thread that reads while another closes never touches a descriptor the system has given to someone else.
// * `usage` is twice the number of calls under way, plus one once `close()` was called, plus `released` once the descriptor
//   is gone.
// * Any thread may call anything; the system orders reads and writes.

import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An open file of the operating system.
public final class POSIXFile: File {
    public let path: String
    private let descriptor: Int32
    private let isWritable: Bool
    private let usage = Atomic<Int>(0)

    private static let closing = 1
    private static let user = 2
    private static let released = 1 << 62

    /// Takes over an open descriptor.
    init(path: String, descriptor: Int32, isWritable: Bool) {
        self.path = path
        self.isWritable = isWritable
        self.descriptor = descriptor
    }

    deinit { close() }

    public func size() throws(StorageError) -> UInt64 {
        try begin("read the size of")
        defer { end() }
        return UInt64(try status("read the size of").st_size)
    }

    public func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(StorageError) -> Int {
        try begin("read")
        defer { end() }
        let wanted = buffer.count
        var done = 0
        while done < wanted {
            let position = try Self.position(offset, plus: done, "read", path)
            let count = try SystemCall.check("read \(wanted) bytes from", path: path, offset: offset) {
                unsafe buffer.withUnsafeMutableBytes {
                    unsafe pread(descriptor, $0.baseAddress.map { unsafe $0 + done }, wanted - done, position)
                }
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    public func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StorageError) {
        try begin("write to")
        defer { end() }
        try checkWritable("write to")
        let wanted = bytes.count
        var done = 0
        while done < wanted {
            let position = try Self.position(offset, plus: done, "write to", path)
            let count = try SystemCall.check("write \(wanted) bytes to", path: path, offset: offset) {
                unsafe bytes.withUnsafeBytes {
                    unsafe pwrite(descriptor, $0.baseAddress.map { unsafe $0 + done }, wanted - done, position)
                }
            }
            // A device that accepts nothing and reports nothing would keep us here for ever.
            guard count > 0 else {
                throw StorageError(
                    .inputOutput, "write \(wanted) bytes to", path: path, offset: offset,
                    detail: "the device took no more after \(done) bytes")
            }
            done += count
        }
    }

    public func truncate(to size: UInt64) throws(StorageError) {
        try begin("set the length of")
        defer { end() }
        try checkWritable("set the length of")
        let length = try Self.position(size, plus: 0, "set the length of", path)
        try SystemCall.check("set the length to \(size) of", path: path) { ftruncate(descriptor, length) }
    }

    public func sync() throws(StorageError) {
        try begin("sync")
        defer { end() }
        try SystemCall.flush(descriptor, path: path, "sync")
    }

    public func dropCache() {
        guard (try? begin("drop the cache of")) != nil else { return }
        defer { end() }
        #if canImport(Glibc)
        _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        #else
        // Darwin has no such advice per range; mapping and invalidating drops clean pages.
        let length = Int((try? status("drop the cache of").st_size) ?? 0)
        guard length > 0, let map = unsafe mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0),
            unsafe map != MAP_FAILED
        else { return }
        _ = unsafe msync(map, length, MS_INVALIDATE)
        _ = unsafe munmap(map, length)
        #endif
    }

    public func tryLock() throws(StorageError) -> Bool {
        try begin("lock")
        defer { end() }
        switch SystemCall.run({ flock(descriptor, LOCK_EX | LOCK_NB) }) {
        case .success: return true
        case .failure(EWOULDBLOCK): return false
        case .failure(let number): throw StorageError(errno: number, "lock", path: path)
        }
    }

    public func lock() throws(StorageError) {
        try begin("lock")
        defer { end() }
        try SystemCall.check("lock", path: path) { flock(descriptor, LOCK_EX) }
    }

    public func unlock() throws(StorageError) {
        try begin("unlock")
        defer { end() }
        try SystemCall.check("unlock", path: path) { flock(descriptor, LOCK_UN) }
    }

    public func close() {
        let before = usage.bitwiseOr(Self.closing, ordering: .acquiringAndReleasing).oldValue
        if before == 0 { release() }
    }

    /// One of the system's `S_IF…`.
    func kind() throws(StorageError) -> mode_t { try status("open").st_mode & S_IFMT }

    private func status(_ operation: String) throws(StorageError) -> stat {
        var facts = stat()
        try SystemCall.check(operation, path: path) { unsafe fstat(descriptor, &facts) }
        return facts
    }

    /// The system would call it a bad descriptor, or an invalid argument.
    private func checkWritable(_ operation: String) throws(StorageError) {
        guard isWritable else { throw .openForReadingOnly(operation, path) }
    }

    private func begin(_ operation: String) throws(StorageError) {
        let before = usage.add(Self.user, ordering: .acquiringAndReleasing).oldValue
        if before & Self.closing != 0 {
            end()
            throw StorageError(.closed, operation, path: path)
        }
    }

    private func end() {
        if usage.subtract(Self.user, ordering: .acquiringAndReleasing).newValue == Self.closing { release() }
    }

    /// Two threads may both see the last user leave; one of them wins.
    private func release() {
        let (won, _) = usage.compareExchange(
            expected: Self.closing, desired: Self.closing | Self.released, ordering: .acquiringAndReleasing)
        guard won else { return }
        // Never repeated on EINTR: the descriptor is gone in either case, and may be someone else's already.
        #if canImport(Glibc)
        _ = Glibc.close(descriptor)
        #else
        _ = Darwin.close(descriptor)
        #endif
    }

    private static func position(
        _ offset: UInt64, plus done: Int, _ operation: String, _ path: String
    ) throws(StorageError) -> off_t {
        let (sum, overflow) = offset.addingReportingOverflow(UInt64(done))
        guard !overflow, let position = off_t(exactly: sum) else {
            throw StorageError(.fileTooLarge, operation, path: path, offset: offset)
        }
        return position
    }
}
