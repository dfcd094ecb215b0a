package import Storage

/// Another file system's files, with something done at each read, before each sync and after each that failed, on the thread that calls.
package final class HookedFileSystem: FileSystem {
    private let files: any FileSystem
    private let onRead: @Sendable () -> Void
    private let onSync: @Sendable () -> Void
    private let onFailedSync: @Sendable () -> Void

    package init(
        _ files: any FileSystem, onRead: @escaping @Sendable () -> Void = {}, onSync: @escaping @Sendable () -> Void = {},
        onFailedSync: @escaping @Sendable () -> Void = {}
    ) {
        self.files = files
        self.onRead = onRead
        self.onSync = onSync
        self.onFailedSync = onFailedSync
    }

    package func open(_ path: String, _ mode: OpenMode) throws(StorageError) -> any File {
        HookedFile(file: try files.open(path, mode), onRead: onRead, onSync: onSync, onFailedSync: onFailedSync)
    }

    package func list(_ directory: String) throws(StorageError) -> [String] { try files.list(directory) }
    package func createDirectory(_ path: String) throws(StorageError) { try files.createDirectory(path) }
    package func rename(_ path: String, to newPath: String) throws(StorageError) { try files.rename(path, to: newPath) }
    package func remove(_ path: String) throws(StorageError) { try files.remove(path) }
    package func removeDirectory(_ path: String) throws(StorageError) { try files.removeDirectory(path) }
    package func syncDirectory(_ path: String) throws(StorageError) { try files.syncDirectory(path) }
    package func attributes(of path: String) throws(StorageError) -> FileAttributes? { try files.attributes(of: path) }
    package func sharedPage(_ path: String, words: Int) throws(StorageError) -> any SharedPage {
        try files.sharedPage(path, words: words)
    }
    package func watch(_ directory: String) throws(StorageError) -> any DirectoryWatcher { try files.watch(directory) }
}

private final class HookedFile: File {
    private let file: any File
    private let onRead: @Sendable () -> Void
    private let onSync: @Sendable () -> Void
    private let onFailedSync: @Sendable () -> Void

    init(
        file: any File, onRead: @escaping @Sendable () -> Void, onSync: @escaping @Sendable () -> Void,
        onFailedSync: @escaping @Sendable () -> Void
    ) {
        self.file = file
        self.onRead = onRead
        self.onSync = onSync
        self.onFailedSync = onFailedSync
    }

    var path: String { file.path }
    func size() throws(StorageError) -> UInt64 { try file.size() }
    func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(StorageError) -> Int {
        onRead()
        return try file.read(into: &buffer, at: offset)
    }
    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StorageError) { try file.write(bytes, at: offset) }
    func truncate(to size: UInt64) throws(StorageError) { try file.truncate(to: size) }
    func sync() throws(StorageError) {
        onSync()
        do throws(StorageError) {
            try file.sync()
        } catch {
            onFailedSync()
            throw error
        }
    }
    func dropCache() { file.dropCache() }
    func tryLock() throws(StorageError) -> Bool { try file.tryLock() }
    func lock() throws(StorageError) { try file.lock() }
    func unlock() throws(StorageError) { try file.unlock() }
    func close() { file.close() }
}
