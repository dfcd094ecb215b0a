import Faults
import Storage
import Synchronization

/// The system's files on a failing device that heals as soon as a sync has failed.
final class HealingFileSystem: FileSystem {
    let isArmed = Atomic(false)
    private let files = POSIXFileSystem()
    private let device: FailingDevice

    init(_ device: FailingDevice) { self.device = device }

    func open(_ path: String, _ mode: OpenMode) throws(StorageError) -> any File {
        HealingFile(file: try files.open(path, mode), files: self)
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

    fileprivate func heal() {
        guard isArmed.exchange(false, ordering: .sequentiallyConsistent) else { return }
        try? device.heal()
    }
}

private final class HealingFile: File {
    private let file: any File
    private let files: HealingFileSystem

    init(file: any File, files: HealingFileSystem) {
        self.file = file
        self.files = files
    }

    var path: String { file.path }
    func size() throws(StorageError) -> UInt64 { try file.size() }
    func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(StorageError) -> Int {
        try file.read(into: &buffer, at: offset)
    }
    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StorageError) { try file.write(bytes, at: offset) }
    func truncate(to size: UInt64) throws(StorageError) { try file.truncate(to: size) }
    func sync() throws(StorageError) {
        do throws(StorageError) {
            try file.sync()
        } catch {
            files.heal()
            throw error
        }
    }
    func dropCache() { file.dropCache() }
    func tryLock() throws(StorageError) -> Bool { try file.tryLock() }
    func lock() throws(StorageError) { try file.lock() }
    func unlock() throws(StorageError) { try file.unlock() }
    func close() { file.close() }
}
