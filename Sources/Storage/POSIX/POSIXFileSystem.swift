import CSystem

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The files of the operating system.
///
/// Stateless: any number of values and threads may work on the same directories. Descriptors are not inherited by child
/// processes.
public struct POSIXFileSystem: FileSystem {
    public init() {}

    public func open(_ path: String, _ mode: OpenMode) throws(StorageError) -> any File {
        let flags =
            switch mode {
            case .read: O_RDONLY
            case .readWrite: O_RDWR
            case .create: O_RDWR | O_CREAT
            case .createNew, .createPrivate: O_RDWR | O_CREAT | O_EXCL
            }
        // A pipe would wait for its other end, maybe for ever; to files this means nothing.
        let descriptor = try SystemCall.open(
            path, flags: flags | O_NONBLOCK, permissions: mode == .createPrivate ? 0o600 : 0o666, "open")
        let file = POSIXFile(path: path, descriptor: descriptor, isWritable: mode != .read)
        switch try file.kind() {
        // The system opens a directory for reading and refuses later; say so now.
        case S_IFDIR: throw StorageError(.isDirectory, "open", path: path)
        case S_IFIFO: throw StorageError(.unsupported, "open", path: path, detail: "this is a pipe, not a file")
        default: return file
        }
    }

    public func list(_ directory: String) throws(StorageError) -> [String] {
        try SystemCall.checkPath(directory, "list")
        guard let stream = unsafe opendir(directory) else {
            throw StorageError(errno: errno, "list", path: directory)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        // readdir tells the end from a failure by the error number alone.
        let number = errno
        guard number == 0 else { throw StorageError(errno: number, "list", path: directory) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    public func createDirectory(_ path: String) throws(StorageError) {
        try SystemCall.checkPath(path, "create directory")
        guard case .failure(let number) = SystemCall.run({ unsafe mkdir(path, 0o777) }) else { return }
        if number == EEXIST, try isDirectory(path) { return }
        throw StorageError(errno: number, "create directory", path: path)
    }

    public func rename(_ path: String, to newPath: String) throws(StorageError) {
        try SystemCall.checkPath(path, "rename")
        try SystemCall.checkPath(newPath, "rename")
        #if canImport(Glibc)
        try SystemCall.check("rename to \(newPath) the file", path: path) { unsafe Glibc.rename(path, newPath) }
        #else
        try SystemCall.check("rename to \(newPath) the file", path: path) { unsafe Darwin.rename(path, newPath) }
        #endif
    }

    public func remove(_ path: String) throws(StorageError) {
        try SystemCall.checkPath(path, "remove")
        guard case .failure(let number) = SystemCall.run({ unsafe unlink(path) }) else { return }
        #if canImport(Darwin)
        if number == EPERM, try attributes(of: path)?.isDirectory == true {
            throw StorageError(.isDirectory, "remove", path: path, errno: number)
        }
        #endif
        throw StorageError(errno: number, "remove", path: path)
    }

    public func removeDirectory(_ path: String) throws(StorageError) {
        try SystemCall.checkPath(path, "remove directory")
        try SystemCall.check("remove directory", path: path) { unsafe rmdir(path) }
    }

    public func syncDirectory(_ path: String) throws(StorageError) {
        let descriptor = try SystemCall.open(path, flags: O_RDONLY | O_DIRECTORY, "sync directory")
        defer { _ = close(descriptor) }
        #if canImport(Glibc)
        try SystemCall.check("sync directory", path: path) { fsync(descriptor) }
        #else
        try SystemCall.flush(descriptor, path: path, "sync directory")
        #endif
    }

    public func attributes(of path: String) throws(StorageError) -> FileAttributes? {
        try SystemCall.checkPath(path, "read the attributes of")
        var facts = csystem_identity()
        let number = unsafe csystem_identify(path, &facts)
        if number == ENOENT { return nil }
        guard number == 0 else { throw StorageError(errno: number, "read the attributes of", path: path) }
        // Device numbers change from boot to boot; the number of a file system does not, where it has one.
        let fileSystem = unsafe csystem_file_system_id_at(path)
        let kind = facts.mode & UInt32(S_IFMT)
        return FileAttributes(
            fileSystem: fileSystem == 0 ? facts.device : fileSystem, inode: facts.inode, birth: facts.birth,
            change: facts.change, modification: facts.modification, size: facts.size,
            isDirectory: kind == UInt32(S_IFDIR), isSpecial: kind != UInt32(S_IFDIR) && kind != UInt32(S_IFREG))
    }

    public func sharedPage(_ path: String, words: Int) throws(StorageError) -> any SharedPage {
        try POSIXSharedPage(path: path, words: words)
    }

    public func watch(_ directory: String) throws(StorageError) -> any DirectoryWatcher {
        #if canImport(Glibc)
        try InotifyWatcher(directory: directory)
        #else
        try PollingWatcher(fileSystem: self, directory: directory)
        #endif
    }
}
