import Storage

/// Files in memory that tell of each read of a file, on the thread that reads.
final class WatchedFileSystem: FileSystem {
    private let files = InMemoryFileSystem()
    private let onRead: @Sendable () -> Void

    init(onRead: @escaping @Sendable () -> Void) { self.onRead = onRead }

    func open(_ path: String, _ mode: OpenMode) throws(StorageError) -> any File {
        WatchedFile(file: try files.open(path, mode), onRead: onRead)
    }

    func list(_ directory: String) throws(StorageError) -> [String] { try files.list(directory) }
    func createDirectory(_ path: String) throws(StorageError) { try files.createDirectory(path) }
    func rename(_ path: String, to newPath: String) throws(StorageError) { try files.rename(path, to: newPath) }
    func remove(_ path: String) throws(StorageError) { try files.remove(path) }
    func removeDirectory(_ path: String) throws(StorageError) { try files.removeDirectory(path) }
    func syncDirectory(_ path: String) throws(StorageError) { try files.syncDirectory(path) }
    func attributes(of path: String) throws(StorageError) -> FileAttributes? { try files.attributes(of: path) }
    func sharedPage(_ path: String, words: Int) throws(StorageError) -> any SharedPage {
        try files.sharedPage(path, words: words)
    }
    func watch(_ directory: String) throws(StorageError) -> any DirectoryWatcher { try files.watch(directory) }
}

private final class WatchedFile: File {
    private let file: any File
    private let onRead: @Sendable () -> Void

    init(file: any File, onRead: @escaping @Sendable () -> Void) {
        self.file = file
        self.onRead = onRead
    }

    var path: String { file.path }
    func size() throws(StorageError) -> UInt64 { try file.size() }
    func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(StorageError) -> Int {
        onRead()
        return try file.read(into: &buffer, at: offset)
    }
    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StorageError) { try file.write(bytes, at: offset) }
    func truncate(to size: UInt64) throws(StorageError) { try file.truncate(to: size) }
    func sync() throws(StorageError) { try file.sync() }
    func dropCache() { file.dropCache() }
    func tryLock() throws(StorageError) -> Bool { try file.tryLock() }
    func lock() throws(StorageError) { try file.lock() }
    func unlock() throws(StorageError) { try file.unlock() }
    func close() { file.close() }
}
