// About bytes and system calls: the one place of the JSON reader where a pointer reaches the system.
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file, a pipe or the standard input, read once from front to back.
package final class FileByteSource: JSONByteSource {
    package let name: String
    private let descriptor: Int32
    private let closes: Bool

    /// Opens the file at `path`.
    ///
    /// Throws `unreadable` with the system's reason.
    package init(path: String) throws(JSONError) {
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw .system(.unreadable, "cannot open the file", source: path, errno) }
        name = path
        descriptor = opened
        closes = true
    }

    /// Reads from an open descriptor, such as 0 for the standard input, and leaves it open.
    package init(descriptor: Int32, name: String = "standard input") {
        self.name = name
        self.descriptor = descriptor
        closes = false
    }

    /// How many bytes a regular file has; nil for a pipe or a terminal.
    package var size: UInt64? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(status.st_size)
    }

    deinit {
        if closes { _ = close(descriptor) }
    }

    package func read(into buffer: inout [UInt8], at room: Range<Int>) throws(JSONError) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe systemRead(descriptor, UnsafeMutableRawBufferPointer(rebasing: bytes[room]))
            }
            if count >= 0 { return count }
            if errno != EINTR { throw .system(.unreadable, "cannot read on", source: name, errno) }
        }
    }
}

// Outside the class, where `read` is the system's.
private func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, room.baseAddress, room.count)
}

extension JSONError {
    /// A refusal by the system, with its reason in words.
    static func system(_ code: Code, _ what: String, source: String, _ number: Int32) -> JSONError {
        let reason = unsafe String(cString: strerror(number))
        return JSONError(code, "\(what): \(reason) (errno \(number))", source: source)
    }
}
