// Invariants
// * A file under blobs/ with a blob's name was whole and synced before it got the name; nobody writes to it afterwards. So it
//   has exactly its content, or the device damaged it.
// * A file is removed, or replaced by a new one with the same content, only under the advisory lock of the file that the name
//   stands for. So what a collection finds old under the lock is not the file that somebody has just written.
// * `state.durable` are the directories in blobs/ whose own name is durable; those of `state.lost` may vanish whole, and take
//   no more blobs. `state.failedSyncs` counts the syncs of directories that failed: a later one of the same directory may say
//   yes without knowing, so every batch under way then is told that it failed.
// * Any thread may call anything. `state` is not locked during calls to the file system.

package import Storage
import Synchronization

/// The large values of a store, one file each, named by content: SPEC.md, section 8.
///
/// ```swift
/// let reference = try blobs.write { buffer in try input.read(into: &buffer) }    // durable; now it may be referred to
/// let reader = try blobs.open(reference.id)
/// ```
package final class BlobStore: Sendable {
    struct State {
        var durable: Set<String> = []
        var lost: Set<String> = []
        var failedSyncs = 0
    }

    let layout: StoreLayout
    let environment: Environment
    let concurrently: Bool
    let buffers = ChunkBuffers()
    let state = Mutex(State())
    /// The file COPIES as it was read last; to read it again costs only time.
    let remembered = Mutex<(attributes: FileAttributes, copies: BlobCopies)?>(nil)

    package var fileSystem: any FileSystem { environment.fileSystem }
    /// Milliseconds since 1970.
    package var now: UInt64 { environment.clock.now() }

    /// - Parameter concurrently: Whether hashing and writing use a thread each. The calls to the file system are the same.
    package init(_ layout: StoreLayout, in environment: Environment, concurrently: Bool = true) {
        self.layout = layout
        self.environment = environment
        self.concurrently = concurrently
    }

    /// Stores what `source` gives, in at most a few megabytes of memory, whatever its length; durable on return.
    ///
    /// Content of at most 64 KiB comes back inside the reference and touches no file. Content that is here already
    /// takes no more room: the new file replaces the old one, which may be damaged.
    ///
    /// - Parameter source: Puts bytes into the front of the buffer and returns how many; 0 ends the blob.
    /// - Throws: ``LogError`` of code `storage`, and whatever `source` throws; nothing is left behind.
    package func write(from source: (inout MutableSpan<UInt8>) throws -> Int) throws -> BlobReference {
        var batch = BlobBatch(self)
        let reference = try batch.write(from: source)
        try batch.finish()
        return reference
    }

    /// Stores `bytes`; durable on return.
    package func write(_ bytes: [UInt8]) throws -> BlobReference {
        var batch = BlobBatch(self)
        let reference = try batch.write(bytes)
        try batch.finish()
        return reference
    }

    /// Stores what comes from elsewhere if it is what `expected` names; durable on return.
    ///
    /// - Throws: ``LogError`` of code `blobDamaged` when it is not; nothing is left behind.
    package func receive(
        _ expected: BlobReference, from source: (inout MutableSpan<UInt8>) throws -> Int
    ) throws -> BlobReference {
        var batch = BlobBatch(self)
        let reference = try batch.receive(expected, from: source)
        try batch.finish()
        return reference
    }

    /// Whether the blob has a file here; says nothing about damage.
    package func contains(_ id: BlobID) throws(LogError) -> Bool { try entry(of: id) != nil }

    /// Opens a blob for reading.
    ///
    /// - Throws: ``LogError`` of code `blobMissing`.
    package func open(_ id: BlobID) throws(LogError) -> BlobReader {
        guard try entry(of: id) != nil else { throw missing(id) }
        let path = layout.path(of: id)
        do throws(StorageError) {
            let file = try fileSystem.open(path, .read)
            return BlobReader(id: id, length: try file.size(), file: file)
        } catch {
            guard error.code == .notFound else { throw LogError(error) }
            throw missing(id)
        }
    }

    /// The file of a blob, or nil.
    ///
    /// A link or a pipe of that name is none, and is never opened.
    package func entry(of id: BlobID) throws(LogError) -> BlobEntry? {
        let path = layout.path(of: id)
        let found = try LogError.wrap { () throws(StorageError) in try fileSystem.attributes(of: path) }
        guard let found, !found.isDirectory, !found.isSpecial else { return nil }
        return BlobEntry(id: id, length: found.size, written: found.modification / 1_000_000)
    }

    package func missing(_ id: BlobID) -> LogError {
        LogError(
            .blobMissing,
            "blob \(id) is not in this store; sync with a replica that has it, or restore its file from a backup",
            path: layout.path(of: id))
    }
}
