#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension StorageError {
    /// Translates the system's error number.
    ///
    /// Every refused system call passes here exactly once.
    init(errno number: Int32, _ operation: String, path: String? = nil, offset: UInt64? = nil, detail: String? = nil) {
        self.init(Code(errno: number), operation, path: path, offset: offset, errno: number, detail: detail)
    }
}

extension StorageError.Code {
    /// The table of error numbers.
    ///
    /// Two names of one number (`ENOTSUP`, `EOPNOTSUPP` on Linux) have one meaning here too.
    init(errno number: Int32) {
        switch number {
        case ENOENT: self = .notFound
        case EEXIST: self = .alreadyExists
        case EACCES, EPERM: self = .permissionDenied
        case EISDIR: self = .isDirectory
        case ENOTDIR: self = .notDirectory
        case ENOTEMPTY: self = .directoryNotEmpty
        case ENOSPC: self = .diskFull
        case EDQUOT: self = .quotaExceeded
        case EFBIG, EOVERFLOW: self = .fileTooLarge
        case EROFS: self = .readOnlyFileSystem
        case EMFILE, ENFILE: self = .tooManyOpenFiles
        case EWOULDBLOCK, EAGAIN, EBUSY, ETXTBSY: self = .locked
        case EIO, ENXIO, ENODEV, ESTALE: self = .inputOutput
        case EBADF: self = .closed
        case ENAMETOOLONG, ELOOP, EILSEQ: self = .invalidPath
        case ENOTSUP, EOPNOTSUPP, ENOSYS, ENOLCK, EXDEV: self = .unsupported
        default: self = .other
        }
    }
}
