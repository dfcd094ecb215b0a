#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How every system call is made: started again when a signal interrupts it, its error number read at once.
package enum SystemCall {
    /// The result of `call`, or the error number it failed with.
    package enum Outcome<Value> {
        case success(Value)
        case failure(Int32)
    }

    /// Repeats `call` while a signal interrupts it.
    ///
    /// Not for `close`, which must never be repeated.
    package static func run<Value: FixedWidthInteger & SignedInteger>(_ call: () -> Value) -> Outcome<Value> {
        while true {
            let result = call()
            if result != -1 { return .success(result) }
            let number = errno
            if number != EINTR { return .failure(number) }
        }
    }

    /// As `run`, translating a failure.
    @discardableResult
    static func check<Value: FixedWidthInteger & SignedInteger>(
        _ operation: @autoclosure () -> String, path: String, offset: UInt64? = nil, _ call: () -> Value
    ) throws(StorageError) -> Value {
        switch run(call) {
        case .success(let value): return value
        case .failure(let number): throw StorageError(errno: number, operation(), path: path, offset: offset)
        }
    }

    /// Opens with close-on-exec, so that no child process inherits a lock or a descriptor.
    static func open(
        _ path: String, flags: Int32, permissions: mode_t = 0o666, _ operation: String
    ) throws(StorageError) -> Int32 {
        try checkPath(path, operation)
        return try check(operation, path: path) { Platform.open(path, flags | O_CLOEXEC, permissions) }
    }

    /// A NUL would silently cut the path short.
    static func checkPath(_ path: String, _ operation: String) throws(StorageError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StorageError(
                .invalidPath, operation, path: path, detail: "the path is empty or holds a NUL character")
        }
    }

    /// Makes an open file or directory durable.
    static func flush(_ descriptor: Int32, path: String, _ operation: String) throws(StorageError) {
        #if canImport(Darwin)
        // fsync on Darwin leaves data in the drive's cache; F_FULLFSYNC does not, where the file system knows it.
        if case .success = run({ fcntl(descriptor, F_FULLFSYNC) }) { return }
        try check(operation, path: path) { fsync(descriptor) }
        #else
        try check(operation, path: path) { fdatasync(descriptor) }
        #endif
    }
}

/// The variadic call, under a name that the methods above do not hide.
private enum Platform {
    static func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        #if canImport(Glibc)
        unsafe Glibc.open(path, flags, mode)
        #else
        unsafe Darwin.open(path, flags, mode)
        #endif
    }
}
