/// The files of a store, behind a handful of verbs.
///
/// Everything that touches a disk goes through this seam, so that a store can live in memory (``InMemoryFileSystem``), and
/// a simulator can cut the power between any two calls. Paths are UTF-8 and use `/`.
///
/// Contract, checked for every adapter by one suite:
/// * A call either does all it says or throws; a short read or write is completed or reported, never hidden.
/// * What was written is *durable* only after ``File/sync()`` on the file, and a created, renamed or removed name only after
///   ``syncDirectory(_:)`` on its directory.
/// * ``rename(_:to:)`` replaces an existing file atomically.
/// * Errors carry the path and, where there is one, the offset.
public protocol FileSystem: Sendable {
    /// Opens a file. Throws `notFound` when it is missing, `alreadyExists` for ``OpenMode/createNew`` on an existing one.
    func open(_ path: String, _ mode: OpenMode) throws(StorageError) -> any File
    /// The names in a directory, without `.` and `..`, sorted by their bytes. Throws `notFound` when it is missing.
    func list(_ directory: String) throws(StorageError) -> [String]
    /// Creates a directory; its parent must exist. An existing directory is no error.
    func createDirectory(_ path: String) throws(StorageError)
    /// Renames a file or directory, replacing an existing file.
    func rename(_ path: String, to newPath: String) throws(StorageError)
    /// Removes a file. An open file stays readable through its handles.
    func remove(_ path: String) throws(StorageError)
    /// Removes an empty directory.
    func removeDirectory(_ path: String) throws(StorageError)
    /// Makes the names in a directory durable.
    func syncDirectory(_ path: String) throws(StorageError)
    /// What identifies a file or directory, or nil when there is none of that name.
    func attributes(of path: String) throws(StorageError) -> FileAttributes?
    /// Maps a small file, created and filled with zeros when missing or shorter, into memory shared by all processes.
    func sharedPage(_ path: String, words: Int) throws(StorageError) -> any SharedPage
    /// Wakes a thread when a file in `directory` changes; a hint only, events may be lost or merged.
    func watch(_ directory: String) throws(StorageError) -> any DirectoryWatcher
}

/// How a file is opened.
public enum OpenMode: Sendable, Equatable {
    /// For reading; it must exist.
    case read
    /// For reading and writing; it must exist.
    case readWrite
    /// For reading and writing; created when missing.
    case create
    /// For reading and writing; it must not exist.
    case createNew
    /// As ``createNew``, and nobody but the owner may open it, from its first moment on: for secrets.
    case createPrivate

    /// Whether a missing file is created.
    package var creates: Bool { self == .create || isExclusive }
    /// Whether an existing one is refused.
    package var isExclusive: Bool { self == .createNew || self == .createPrivate }
}

/// An open file.
///
/// Reads and writes name their offset, so a handle has no position and may be shared between threads.
public protocol File: AnyObject, Sendable {
    /// The path it was opened with, for messages.
    var path: String { get }
    /// Bytes in the file now.
    func size() throws(StorageError) -> UInt64
    /// Fills `buffer` from `offset` on; returns the bytes read, fewer only at the end of the file.
    func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(StorageError) -> Int
    /// Writes all of `bytes` at `offset`, growing the file when it reaches past its end. Throws `permissionDenied` for a file
    /// opened with ``OpenMode/read``, as ``truncate(to:)`` does.
    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StorageError)
    /// Sets the length, cutting or filling with zeros.
    func truncate(to size: UInt64) throws(StorageError)
    /// Makes the contents, and the length needed to read them, durable (`fdatasync`). After a failure the state of what was
    /// written since the last success is unknown: never retry.
    func sync() throws(StorageError)
    /// Forgets cached clean pages, so that the next read shows what the device holds. A hint.
    func dropCache()
    /// Takes the whole-file advisory lock if nobody else holds it. Locks belong to this handle and end with it, or with the
    /// process.
    func tryLock() throws(StorageError) -> Bool
    /// Waits for the whole-file advisory lock.
    func lock() throws(StorageError)
    /// Gives the lock back.
    func unlock() throws(StorageError)
    /// Closes the handle; further calls throw. Called by the last release at the latest.
    func close()
}

/// What identifies a file beyond its path.
///
/// Times are nanoseconds since 1970.
public struct FileAttributes: Sendable, Equatable {
    /// Number of the file system and of the file in it.
    public var fileSystem: UInt64, inode: UInt64
    /// When it was created; 0 where the file system does not say.
    public var birth: UInt64
    /// When its contents or attributes last changed; cannot be set by a program, so a copy over the file shows.
    public var change: UInt64
    /// When its contents last changed.
    public var modification: UInt64
    public var size: UInt64
    public var isDirectory: Bool
    /// Neither a file nor a directory: a symbolic link, a pipe, a device.
    ///
    /// Opening it may follow it, or wait for ever.
    public var isSpecial: Bool

    public init(
        fileSystem: UInt64 = 0, inode: UInt64 = 0, birth: UInt64 = 0, change: UInt64 = 0, modification: UInt64 = 0,
        size: UInt64 = 0, isDirectory: Bool = false, isSpecial: Bool = false
    ) {
        self.fileSystem = fileSystem
        self.inode = inode
        self.birth = birth
        self.change = change
        self.modification = modification
        self.size = size
        self.isDirectory = isDirectory
        self.isSpecial = isSpecial
    }
}

/// 64-bit words in memory shared by every process that maps the same file.
///
/// Each access is atomic and sequentially consistent.
public protocol SharedPage: AnyObject, Sendable {
    /// How many words there are.
    var words: Int { get }
    func load(_ word: Int) -> UInt64
    func store(_ value: UInt64, at word: Int)
    /// Adds and returns the new value.
    @discardableResult
    func add(_ value: UInt64, at word: Int) -> UInt64
}

/// Waits for changes in a directory.
public protocol DirectoryWatcher: AnyObject, Sendable {
    /// Returns true after a change since the last call, false after `milliseconds` without one.
    func wait(milliseconds: Int) -> Bool
    /// Ends a wait in another thread; further waits return false at once.
    func cancel()
}
