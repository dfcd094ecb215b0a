/// Why a call to the file system, a codec or a checksum failed.
///
/// Match on ``code``; show ``description``. `isRetryable` says whether the same call may succeed later without anyone
/// changing anything (an interrupted or overloaded system), as opposed to damage, misuse or a full disk.
public struct StorageError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: String, Sendable, Equatable {
        case notFound, alreadyExists, permissionDenied, isDirectory, notDirectory, directoryNotEmpty
        case diskFull, quotaExceeded, fileTooLarge, readOnlyFileSystem, tooManyOpenFiles, locked
        case inputOutput, closed, invalidPath, unsupported
        /// Bytes that do not follow their format: a bad checksum, a length past the end, an invalid varint.
        case malformed
        /// Bytes of a format that is newer than this program; it must keep them and pass them on, but cannot read them.
        case newerVersion
        case other
    }

    public var code: Code
    /// What was being done, as a verb phrase: "write 4096 bytes to".
    public var operation: String
    public var path: String?
    public var offset: UInt64?
    /// The system's error number, where the system refused.
    public var errno: Int32?
    /// What exactly was wrong, for codes that have no error number.
    public var detail: String?

    public init(
        _ code: Code, _ operation: String, path: String? = nil, offset: UInt64? = nil, errno: Int32? = nil,
        detail: String? = nil
    ) {
        self.code = code
        self.operation = operation
        self.path = path
        self.offset = offset
        self.errno = errno
        self.detail = detail
    }

    /// Whether the same call may succeed later by itself.
    public var isRetryable: Bool {
        switch code {
        case .tooManyOpenFiles, .locked: true
        default: false
        }
    }

    public var description: String {
        var text = "cannot \(operation)"
        if let path { text += " \(path)" }
        if let offset { text += " at offset \(offset)" }
        text += ": \(detail ?? code.sentence)"
        if code == .newerVersion, detail != nil { text += "; \(code.sentence)" }
        if let errno { text += " (errno \(errno))" }
        return text
    }

    /// A change through a handle of ``OpenMode/read``.
    static func openForReadingOnly(_ operation: String, _ path: String) -> StorageError {
        StorageError(.permissionDenied, operation, path: path, detail: "the file was opened for reading only")
    }

    /// Bytes that do not follow their format.
    package static func malformed(_ what: String, path: String? = nil, offset: UInt64? = nil) -> StorageError {
        StorageError(.malformed, "read", path: path, offset: offset, detail: what)
    }

    /// Bytes that a newer version has written.
    package static func newerVersion(_ what: String, path: String? = nil, offset: UInt64? = nil) -> StorageError {
        StorageError(
            .newerVersion, "read", path: path, offset: offset, detail: what)
    }
}

extension StorageError.Code {
    /// The reason in words, and what to do about it.
    var sentence: String {
        switch self {
        case .notFound: "it does not exist"
        case .alreadyExists: "it exists already"
        case .permissionDenied: "permission denied; check the owner and mode"
        case .isDirectory: "it is a directory"
        case .notDirectory: "a part of the path is not a directory"
        case .directoryNotEmpty: "the directory is not empty"
        case .diskFull: "the disk is full; free some space and try again"
        case .quotaExceeded: "the disk quota is used up; free some space and try again"
        case .fileTooLarge: "the file would be larger than the system allows"
        case .readOnlyFileSystem: "the file system is read-only"
        case .tooManyOpenFiles: "too many files are open; raise the limit or close some"
        case .locked: "another process holds the lock"
        case .inputOutput: "the device reported an input/output error"
        case .closed: "the file has been closed"
        case .invalidPath: "the path is not valid"
        case .unsupported: "the file system does not support this"
        case .malformed: "the bytes do not follow their format"
        case .newerVersion: "it needs a newer version of Strandline"
        case .other: "the system refused"
        }
    }
}
