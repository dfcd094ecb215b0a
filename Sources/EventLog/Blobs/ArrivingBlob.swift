// Invariants
// * A chunk is in the file, at its place, only after its hash was found to be the one that the blob's name proves.
// * The note says of a chunk that it is here only after the file was synced with it; so after a crash all that the note says is so.
// * A note is never older than its file: where the file is not there, the note goes, durably, before a new file is made; and the name
//   of the file is durable before there is a note.
// * The file is locked by the process that fills it, from `open` to `close`.
// * A length is believed only up to `BlobFormat.maximumFetched`: memory for what a peer says is taken only within that.

import Storage
import Synchronization

/// A blob that arrives in pieces, maybe from several replicas, maybe over days: SPEC.md, section 8.
///
/// Any thread.
package final class ArrivingBlob: Sendable {
    private struct State {
        /// Hashes of chunks, in order, as far as they have come; all of them are proved by the name once they are whole.
        var hashes: [UInt8] = []
        var isProved = false
        var present: [Bool]
        var missing: Int
        var unsynced = 0
        /// Threads that use the file: the last one closes it, once it is to be closed.
        var users = 0
        var isClosed = false
    }

    /// Bytes after which what came is made durable.
    private static let syncInterval = 8 << 20
    private static let magic = "STRDARRV"

    package let reference: BlobReference
    package let chunkCount: Int
    private let store: BlobStore
    private let path: String
    private let file: any File
    private let state: Mutex<State>

    /// Begins or goes on with a blob.
    ///
    /// - Throws: `blobInUse` when another process fetches it, `tooLarge` for a length that nothing has.
    init(_ reference: BlobReference, into store: BlobStore) throws(LogError) {
        guard reference.length > 0, reference.length <= BlobFormat.maximumFetched else {
            throw LogError(.tooLarge, "blob \(reference.id) is said to have \(reference.length) bytes, and is not fetched")
        }
        self.reference = reference
        self.store = store
        path = store.layout.arriving(reference.id)
        let count = Int((reference.length - 1) / UInt64(BlobFormat.chunkSize) + 1)
        chunkCount = count
        let (layout, path, fileSystem) = (store.layout, path, store.fileSystem)
        let file = try LogError.wrap { () throws(StorageError) in
            try fileSystem.createDirectory(layout.arriving)
            let note = path + StoreLayout.arrivingNote
            if try fileSystem.attributes(of: path) == nil, try fileSystem.attributes(of: note) != nil {
                try fileSystem.remove(note)
                try fileSystem.syncDirectory(layout.arriving)
            }
            return try fileSystem.open(path, .create)
        }
        self.file = file
        do throws(LogError) {
            guard try LogError.wrap({ () throws(StorageError) in try file.tryLock() }) else {
                throw LogError(.blobInUse, "blob \(reference.id) is being fetched by another process", path: path)
            }
            state = Mutex(Self.resume(reference, count, fileSystem, path))
        } catch {
            file.close()
            throw error
        }
    }

    /// Whether the hashes of the chunks are known and proved.
    package var hasHashes: Bool { state.withLock { $0.isProved } }

    /// The first chunks in a row that are not here, from `start` on; empty when all the rest is.
    package func missing(from start: Int) -> Range<Int> {
        state.withLock { state in
            guard let first = state.present[start...].firstIndex(of: false) else { return chunkCount..<chunkCount }
            return first..<(state.present[first...].firstIndex(of: true) ?? chunkCount)
        }
    }

    /// Bytes that are here.
    package var byteCount: UInt64 {
        state.withLock { state in
            state.present.indices.reduce(0) { $0 + (state.present[$1] ? UInt64(size(of: $1)) : 0) }
        }
    }

    /// Takes hashes of chunks from `first` on.
    ///
    /// - Throws: `blobDamaged` when all have come and are not those that the name stands for; they are forgotten.
    package func add(hashes: ArraySlice<UInt8>, from first: Int) throws(LogError) {
        let isWrong = state.withLock { state -> Bool in
            guard !state.isProved else { return false }
            if first * BlobFormat.hashSize != state.hashes.count { state.hashes = [] }
            guard first * BlobFormat.hashSize == state.hashes.count,
                state.hashes.count + hashes.count <= chunkCount * BlobFormat.hashSize
            else { return false }
            state.hashes += hashes
            guard state.hashes.count >= chunkCount * BlobFormat.hashSize else { return false }
            state.isProved = BlobHasher.name(length: reference.length, digests: state.hashes) == reference.id
            if !state.isProved { state.hashes = [] }
            return !state.isProved
        }
        guard isWrong else { return }
        throw LogError(.blobDamaged, "the hashes that came for blob \(reference.id) are not those that its name stands for")
    }

    /// Takes a chunk; whether the blob is whole now.
    ///
    /// - Throws: `blobDamaged` when it is not the chunk that the hashes say, `storage`.
    package func add(chunk bytes: ArraySlice<UInt8>, at index: Int) throws(LogError) -> Bool {
        guard enter() else { return false }
        defer { leave() }
        let hash = SHA256.hash(bytes.span)
        let isRight = state.withLock { state in
            guard index >= 0, index < chunkCount else { return false }
            let start = index * BlobFormat.hashSize
            return state.isProved && state.hashes[start..<start + BlobFormat.hashSize].elementsEqual(hash)
        }
        guard isRight, bytes.count == size(of: index) else {
            throw LogError(
                .blobDamaged, "chunk \(index) that came for blob \(reference.id) is not the one that its name stands for")
        }
        try LogError.wrap { () throws(StorageError) in
            try file.write(bytes.span, at: UInt64(index) * UInt64(BlobFormat.chunkSize))
        }
        let (isWhole, mustSync) = state.withLock { state -> (Bool, Bool) in
            if !state.present[index] {
                state.present[index] = true
                state.missing -= 1
            }
            state.unsynced += bytes.count
            guard state.missing > 0, state.unsynced >= Self.syncInterval else { return (state.missing == 0, false) }
            state.unsynced = 0
            return (false, true)
        }
        if mustSync { try settle() }
        return isWhole
    }

    /// Gives the whole blob its place; durable on return.
    package func finish() throws(LogError) {
        guard enter() else { return }
        defer { leave() }
        try LogError.wrap { () throws(StorageError) in try file.sync() }
        let directory = try store.place(path, as: reference.id)
        try store.settle(directory)
        try? store.fileSystem.remove(note)
        close()
    }

    /// Keeps what is here for another time; a file in which nothing is goes.
    package func close() {
        guard enter() else { return }
        state.withLock { $0.isClosed = true }
        leave()
    }

    /// Whether the file may be used, until ``leave()``.
    private func enter() -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.users += 1
            return true
        }
    }

    private func leave() {
        let (mustClose, isEmpty) = state.withLock { state -> (Bool, Bool) in
            state.users -= 1
            return (state.isClosed && state.users == 0, state.missing == chunkCount && !state.isProved)
        }
        guard mustClose else { return }
        // Under its lock, and only where it begins anew in any case.
        if isEmpty { try? store.fileSystem.remove(path) }
        file.close()
    }

    /// Makes what came durable, and notes it.
    package func settle() throws(LogError) {
        guard enter() else { return }
        defer { leave() }
        // The note before the sync would promise what is not there; what comes between the two is only fetched again.
        let state = state.withLock { $0 }
        try LogError.wrap { () throws(StorageError) in
            try file.sync()
            try store.fileSystem.syncDirectory(store.layout.arriving)
            try store.fileSystem.replace(note, with: Self.encode(reference, state))
        }
    }

    /// Bytes of a stretch, if all chunks it touches are here: each is hashed again as it is read.
    ///
    /// - Throws: `blobDamaged` for a chunk that is not what it was, `storage`.
    package func read(_ range: Range<UInt64>) throws(LogError) -> [UInt8]? {
        guard enter() else { return nil }
        defer { leave() }
        let state = state.withLock { $0 }
        return try Self.read(range, of: reference, state, from: file)
    }

    private static func read(
        _ range: Range<UInt64>, of reference: BlobReference, _ state: State, from file: any File
    ) throws(LogError) -> [UInt8]? {
        let size = UInt64(BlobFormat.chunkSize)
        guard !range.isEmpty, range.upperBound <= reference.length else { return range.isEmpty ? [] : nil }
        let chunks = Int(range.lowerBound / size)...Int((range.upperBound - 1) / size)
        guard state.isProved, chunks.allSatisfy({ state.present[$0] }) else { return nil }
        var found: [UInt8] = []
        for index in chunks {
            let start = UInt64(index) * size
            let count = Int(min(size, reference.length - start))
            let bytes = try LogError.wrap { () throws(StorageError) in try file.bytes(at: start, count: count) }
            let place = index * BlobFormat.hashSize
            guard bytes.count == count,
                state.hashes[place..<place + BlobFormat.hashSize].elementsEqual(SHA256.hash(bytes.span))
            else {
                throw LogError(
                    .blobDamaged, "chunk \(index) of blob \(reference.id), which is on its way here, is not what it was",
                    path: file.path, offset: start)
            }
            let low = Int(max(range.lowerBound, start) - start)
            found += bytes[low..<Int(min(range.upperBound, start + UInt64(count)) - start)]
        }
        return found
    }

    private var note: String { path + StoreLayout.arrivingNote }

    private func size(of index: Int) -> Int {
        Int(min(UInt64(BlobFormat.chunkSize), reference.length - UInt64(index) * UInt64(BlobFormat.chunkSize)))
    }

    private static func encode(_ reference: BlobReference, _ state: State) -> [UInt8] {
        ChecksummedFile.encode(magic: magic) { writer in
            writer.u64(reference.length)
            writer.raw(state.hashes)
            var bits = [UInt8](repeating: 0, count: (state.present.count + 7) / 8)
            for (index, isPresent) in state.present.enumerated() where isPresent { bits[index / 8] |= 1 << UInt8(index % 8) }
            writer.raw(bits)
        }
    }

    /// What a note says; nothing is here when there is none that makes sense.
    private static func resume(
        _ reference: BlobReference, _ count: Int, _ fileSystem: any FileSystem, _ path: String
    ) -> State {
        let fresh = State(present: [Bool](repeating: false, count: count), missing: count)
        let note = path + StoreLayout.arrivingNote
        guard (try? fileSystem.attributes(of: path))??.isDirectory == false,
            let bytes = try? fileSystem.readWhole(note, limit: 64 + count * (BlobFormat.hashSize + 1)),
            var reader = try? ChecksummedFile.open(bytes, magic: magic, path: note),
            (try? reader.u64()) == reference.length,
            let hashes = try? reader.bytes(count * BlobFormat.hashSize),
            BlobHasher.name(length: reference.length, digests: Array(hashes)) == reference.id,
            let bits = try? reader.bytes((count + 7) / 8)
        else { return fresh }
        var state = fresh
        state.hashes = Array(hashes)
        state.isProved = true
        for index in 0..<count where bits[bits.startIndex + index / 8] & 1 << UInt8(index % 8) != 0 {
            state.present[index] = true
            state.missing -= 1
        }
        return state
    }
}

extension ArrivingBlob {
    /// How many bytes of a blob are here, by the note of whoever fetches it; 0 of one that is not on its way.
    fileprivate static func byteCount(_ reference: BlobReference, in store: BlobStore) -> UInt64 {
        guard reference.length > 0, reference.length <= BlobFormat.maximumFetched else { return 0 }
        let count = Int((reference.length - 1) / UInt64(BlobFormat.chunkSize) + 1)
        let state = resume(reference, count, store.fileSystem, store.layout.arriving(reference.id))
        guard state.missing < count else { return 0 }
        let whole = UInt64(count - state.missing) * UInt64(BlobFormat.chunkSize)
        guard state.present[count - 1] else { return whole }
        return whole - (UInt64(count) * UInt64(BlobFormat.chunkSize) - reference.length)
    }

    /// Bytes of a stretch of a blob that is on its way, maybe into another process' hands.
    fileprivate static func read(
        _ range: Range<UInt64>, of reference: BlobReference, in store: BlobStore
    ) throws(LogError) -> [UInt8]? {
        guard reference.length > 0, reference.length <= BlobFormat.maximumFetched else { return nil }
        let path = store.layout.arriving(reference.id)
        let count = Int((reference.length - 1) / UInt64(BlobFormat.chunkSize) + 1)
        let state = resume(reference, count, store.fileSystem, path)
        guard state.missing < count else { return nil }
        let file: any File
        do throws(StorageError) {
            file = try store.fileSystem.open(path, .read)
        } catch {
            guard error.code == .notFound else { throw LogError(error) }
            return nil
        }
        defer { file.close() }
        return try read(range, of: reference, state, from: file)
    }
}

extension BlobStore {
    /// Bytes of a blob that are here though it is not whole.
    package func arrived(_ reference: BlobReference) -> UInt64 { ArrivingBlob.byteCount(reference, in: self) }

    /// Bytes of a stretch of a blob that is not whole, if all chunks it touches are here; each is hashed.
    package func readArrived(_ range: Range<UInt64>, of reference: BlobReference) throws(LogError) -> [UInt8]? {
        try ArrivingBlob.read(range, of: reference, in: self)
    }

    /// Begins or goes on with a blob; nil when another process fetches it.
    package func arriving(_ reference: BlobReference) throws(LogError) -> ArrivingBlob? {
        do throws(LogError) {
            return try ArrivingBlob(reference, into: self)
        } catch {
            guard error.code == .blobInUse else { throw error }
            return nil
        }
    }

    /// A blob that is open for reading; nil when it is not here.
    package func openIfPresent(_ id: BlobID) throws(LogError) -> BlobReader? {
        do throws(LogError) {
            return try open(id)
        } catch {
            guard error.code == .blobMissing else { throw error }
            return nil
        }
    }
}
