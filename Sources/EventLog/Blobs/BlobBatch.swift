// Invariants
// * `directories` are those in which names were made, or found, that may not be durable yet.
// * `failedSyncs` is how many syncs had failed when the batch began; if more have when it ends, its names may not be durable.
// * Until `finish` returns, references of this batch must not be named by a transaction.

import Storage
import Synchronization

/// Several blobs made durable together: each file is synced as it is written, the directories once, by ``finish()``.
///
/// For one thread. A batch that is dropped leaves whole blobs that nobody refers to.
package struct BlobBatch: ~Copyable {
    private let store: BlobStore
    private let failedSyncs: Int
    private var directories: Set<String> = []

    package init(_ store: BlobStore) {
        self.store = store
        failedSyncs = store.state.withLock { $0.failedSyncs }
    }

    /// As ``BlobStore/write(from:)``, durable after ``finish()``.
    package mutating func write(from source: (inout MutableSpan<UInt8>) throws -> Int) throws -> BlobReference {
        try write(expecting: nil, from: source)
    }

    /// Stores `bytes`, durable after ``finish()``.
    package mutating func write(_ bytes: [UInt8]) throws -> BlobReference {
        if bytes.count <= BlobFormat.inlineLimit { return Self.inline(bytes) }
        let concurrently = store.concurrently
        return try draft { draft in
            let id = try draft.fill(with: bytes, concurrently: concurrently)
            return BlobReference(id: id, length: UInt64(bytes.count))
        }
    }

    /// As ``BlobStore/receive(_:from:)``, durable after ``finish()``.
    package mutating func receive(
        _ expected: BlobReference, from source: (inout MutableSpan<UInt8>) throws -> Int
    ) throws -> BlobReference {
        try write(expecting: expected, from: source)
    }

    /// Makes all blobs of the batch durable.
    ///
    /// - Throws: ``LogError`` of code `storage`, or `outcomeUnknown` when a sync of another thread failed meanwhile. Then write
    ///   the blobs again.
    package consuming func finish() throws(LogError) {
        guard !directories.isEmpty else { return }
        for directory in directories.sorted() { try store.settle(directory) }
        guard store.state.withLock({ $0.failedSyncs }) == failedSyncs else {
            throw LogError(
                .outcomeUnknown,
                "a sync failed while these blobs were being stored, so they may not outlast a power cut; check the disk, then "
                    + "store them again", path: store.layout.blobs)
        }
    }

    private mutating func write(
        expecting expected: BlobReference?, from source: (inout MutableSpan<UInt8>) throws -> Int
    ) throws -> BlobReference {
        var first = [UInt8](repeating: 0, count: BlobFormat.inlineLimit + 1)
        let count = try first.fill(after: [], from: source)
        if count <= BlobFormat.inlineLimit {
            let reference = Self.inline(Array(first[..<count]))
            try Self.check(reference.id, reference.length, against: expected)
            return reference
        }
        let (limit, buffers, concurrently) = (expected?.length ?? .max, store.buffers, store.concurrently)
        return try draft { draft in
            let (id, length) = try draft.fill(
                after: first, limit: limit, buffers, concurrently: concurrently, from: source)
            try Self.check(id, length, against: expected)
            return BlobReference(id: id, length: length)
        }
    }

    /// Gives a file that `fill` makes whole its name; nothing is left of one that it does not.
    private mutating func draft(_ fill: (borrowing BlobDraft) throws -> BlobReference) throws -> BlobReference {
        let draft = try BlobDraft(in: store.layout, store.environment)
        do {
            let reference = try fill(draft)
            directories.insert(try store.place(draft.path, as: reference.id))
            return reference
        } catch {
            draft.discard()
            throw error
        }
    }

    private static func inline(_ bytes: [UInt8]) -> BlobReference {
        BlobReference(id: BlobHasher.hash(bytes.span), length: UInt64(bytes.count), inline: bytes)
    }

    private static func check(_ id: BlobID, _ length: UInt64, against expected: BlobReference?) throws(LogError) {
        guard let expected, expected.id != id || expected.length != length else { return }
        throw LogError(
            .blobDamaged,
            "what arrived as blob \(expected.id) of \(expected.length) bytes is \(id) of \(length) bytes; nothing was kept: "
                + "fetch it again, or from another replica")
    }
}
