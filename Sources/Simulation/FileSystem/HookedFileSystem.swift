package import Storage

/// Another file system's files, with something done at each read, before each sync and after each that failed, on the thread that calls.
package final class HookedFileSystem: FileSystem {
    /// Hears of a read: the file, from where on, and how many bytes at most.
    package typealias ReadHook = @Sendable (_ path: String, _ offset: UInt64, _ count: Int) -> Void

    private let files: any FileSystem
    private let onRead: ReadHook
    private let onSync: @Sendable () -> Void
    private let onFailedSync: @Sendable () -> Void

    package init(
        _ files: any FileSystem, onRead: @escaping ReadHook = { _, _, _ in }, onSync: @escaping @Sendable () -> Void = {},
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
    private let onRead: HookedFileSystem.ReadHook
    private let onSync: @Sendable () -> Void
    private let onFailedSync: @Sendable () -> Void

    init(
        file: any File, onRead: @escaping HookedFileSystem.ReadHook, onSync: @escaping @Sendable () -> Void,
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
        onRead(file.path, offset, buffer.count)
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
