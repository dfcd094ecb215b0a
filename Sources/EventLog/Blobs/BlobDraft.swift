// Invariants
// * The file in tmp/ belongs to this draft alone, which holds its advisory lock while writing: a draft that nobody has locked
//   is abandoned, or about to get its name. By `fill` it is whole and synced, by `discard` it is removed.
// * Nothing is made under blobs/ here, so no unfinished content ever has a blob's name.

import Storage

/// Content on its way into a file, named by its hash when it is whole.
struct BlobDraft: ~Copyable {
    let path: String
    private let file: any File
    private let fileSystem: any FileSystem

    init(in layout: StoreLayout, _ environment: Environment) throws(LogError) {
        fileSystem = environment.fileSystem
        (path, file) = try LogError.wrap { () throws(StorageError) in try Self.create(layout, environment) }
    }

    /// Streams `first`, then what `source` gives, into the file, and syncs it.
    ///
    /// More bytes than `limit` are refused as damage: the content was announced to be shorter.
    func fill(
        after first: [UInt8], limit: UInt64, _ buffers: ChunkBuffers, concurrently: Bool,
        from source: (inout MutableSpan<UInt8>) throws -> Int
    ) throws -> (id: BlobID, length: UInt64) {
        let pipe = WriteBehind(file, buffers, concurrently: concurrently)
        var hasher = BlobHasher()
        do {
            var carried = first
            var isEnd = false
            while !isEnd {
                var buffer = try pipe.take()
                let count = try buffer.fill(after: carried, from: source)
                carried = []
                isEnd = count < buffer.count
                guard hasher.length + UInt64(count) <= limit else {
                    throw LogError(
                        .blobDamaged, "more than the \(limit) bytes announced arrived; nothing was kept: fetch the blob again")
                }
                guard count > 0 else { break }
                hasher.update(buffer.span.extracting(0..<count))
                pipe.put(buffer, count: count)
            }
            try pipe.finish()
            try file.sync()
        } catch {
            pipe.cancel()
            throw (error as? StorageError).map { LogError($0) } ?? error
        }
        file.close()
        let length = hasher.length
        return (hasher.finalize(), length)
    }

    /// Writes `bytes` to the file and syncs it, while another thread hashes them: by the time the disk has them, they have a name.
    ///
    /// The file sees the same calls as when they are streamed.
    func fill(with bytes: [UInt8], concurrently: Bool) throws -> BlobID {
        let hashing = concurrently ? Errand { BlobHasher.hash(bytes.span) } : nil
        let written = Result {
            var start = 0
            while start < bytes.count {
                let end = min(start + BlobFormat.chunkSize, bytes.count)
                try file.write(bytes.span.extracting(start..<end), at: UInt64(start))
                start = end
            }
            try file.sync()
        }
        let id = try hashing?.result() ?? BlobHasher.hash(bytes.span)
        do { try written.get() } catch { throw (error as? StorageError).map { LogError($0) } ?? error }
        file.close()
        return id
    }

    /// Removes the file.
    ///
    /// Best effort: what is left in tmp/ is removed by a collection, or when the store is opened after a reboot.
    consuming func discard() {
        file.close()
        try? fileSystem.remove(path)
    }

    /// A file of a name that nobody has: chance repeats when a simulated machine restarts, and leftovers may lie there.
    private static func create(_ layout: StoreLayout, _ environment: Environment) throws(StorageError) -> (String, any File) {
        var attempts = 0
        while true {
            let path = Path.join(layout.temporary, Digest128.hex(environment.random.next()) + StoreLayout.draftSuffix)
            do throws(StorageError) {
                let file = try environment.fileSystem.open(path, .createNew)
                do throws(StorageError) {
                    try file.lock()
                } catch {
                    file.close()
                    try? environment.fileSystem.remove(path)
                    throw error
                }
                return (path, file)
            } catch {
                attempts += 1
                guard error.code == .alreadyExists, attempts < 100 else { throw error }
            }
        }
    }
}

extension [UInt8] {
    /// Puts `first` and then what `source` gives into this array until it is full or the source ends; returns how many bytes.
    mutating func fill(after first: [UInt8], from source: (inout MutableSpan<UInt8>) throws -> Int) throws -> Int {
        var filled = first.count
        replaceSubrange(0..<filled, with: first)
        while filled < count {
            var whole = mutableSpan
            var rest = whole._mutatingExtracting(filled...)
            let room = rest.count
            let added = try source(&rest)
            precondition((0...room).contains(added), "a source of a blob said it gave \(added) bytes for a room of \(room)")
            if added == 0 { break }
            filled += added
        }
        return filled
    }
}
