import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the system keeps of files in memory.
enum PageCache {
    /// Writes back all files below a directory and lets go of them: the next reader finds the device cold.
    ///
    /// - Throws: ``BenchmarkError`` when a file cannot be written back.
    static func evict(below directory: String) throws {
        for case let name as String in FileManager.default.enumerator(atPath: directory) ?? .init() {
            let descriptor = unsafe open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else { throw BenchmarkError("\(directory)/\(name) cannot be written back") }
            #if canImport(Glibc)
            _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
            #endif
        }
    }
}
