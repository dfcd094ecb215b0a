// About bytes and system calls.
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An open file, pipe or standard output, which stays open.
package struct FileByteSink: JSONByteSink {
    private let descriptor: Int32
    private let name: String

    package init(descriptor: Int32, name: String = "standard output") {
        self.descriptor = descriptor
        self.name = name
    }

    package func write(_ bytes: [UInt8]) throws(JSONError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw .system(.unwritable, "cannot write on", source: name, errno)
            }
        }
    }
}

// Outside the structure, where `write` is the system's.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
