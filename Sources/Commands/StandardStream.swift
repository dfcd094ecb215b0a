#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Invariants
// * Nothing is buffered here: what `write` was given has reached the kernel when it returns.
// * Only immutable state, so no lock.

/// Standard output or standard error of this process.
package final class StandardStream: TextStream {
    private let descriptor: Int32
    package let isTerminal: Bool

    /// The stream behind descriptor 1 or 2.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
    }

    package func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes all of `bytes`.
    ///
    /// When the reader is gone (`strandline fetch … | head`) SIGPIPE has ended the process; any other failure ends it
    /// here, because there is nobody left to tell.
    package func write(_ bytes: [UInt8]) {
        let written = unsafe bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = unsafe systemWrite(UnsafeRawBufferPointer(rebasing: bytes[done...]))
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                if count <= 0 { return false }
                done += count
            }
            return true
        }
        if !written { exit(ExitCode.failed.rawValue) }
    }

    private func systemWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
