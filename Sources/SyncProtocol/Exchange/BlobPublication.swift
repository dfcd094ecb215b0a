// Invariants
// * A blob has its name in the folder only when all of it was written and synced; `directories` are those whose names are not durable yet.

import EventLog
import Storage

/// Puts blobs of a store into a shared folder, each once.
struct BlobPublication {
    private let store: BlobStore
    private let layout: ExchangeLayout
    private let environment: Environment
    private let drafts: String
    private var directories: Set<String> = []
    /// Blobs dealt with of late, and whether they are in the folder; to look again costs only time.
    private var present = RecentCache<BlobID, Bool>(limit: 1 << 14)
    private(set) var report = ExchangeReport()

    /// - Parameter drafts: the directory for unfinished files.
    init(_ store: BlobStore, _ layout: ExchangeLayout, _ environment: Environment, drafts: String) {
        self.store = store
        self.layout = layout
        self.environment = environment
        self.drafts = drafts
    }

    /// Puts a blob there if it is missing; returns whether it is there now.
    ///
    /// - Throws: when the folder fails. A blob that this store does not have, or only damaged, is no error.
    mutating func publish(_ reference: BlobReference) throws -> Bool {
        if let known = present.find(reference.id) { return known }
        let isPresent = try isThere(reference) ? true : try copy(reference)
        present.insert(isPresent, for: reference.id)
        return isPresent
    }

    /// Makes the names durable.
    mutating func settle() throws {
        for directory in directories.sorted() { try environment.fileSystem.syncDirectory(directory) }
        directories = []
    }

    /// One of another length is still on its way, or damaged.
    private func isThere(_ reference: BlobReference) throws -> Bool {
        let found = try environment.fileSystem.attributes(of: layout.path(of: reference.id))
        return found.map { !$0.isDirectory && !$0.isSpecial && $0.size == reference.length } ?? false
    }

    private mutating func copy(_ reference: BlobReference) throws -> Bool {
        let reader: BlobReader
        do throws(LogError) {
            reader = try store.open(reference.id)
        } catch {
            guard error.code == .blobMissing else { throw error }
            return false
        }
        defer { reader.close() }
        let directory = layout.directory(of: reference.id)
        try environment.fileSystem.createDirectories(directory)
        let (path, file) = try environment.createDraft(in: drafts)
        do {
            try fill(file, from: reader)
            try file.sync()
            file.close()
            try environment.fileSystem.rename(path, to: layout.path(of: reference.id))
        } catch {
            file.close()
            try? environment.fileSystem.remove(path)
            guard let damage = error as? LogError, damage.code == .blobDamaged else { throw error }
            report.skipped.append(.init(path: "blob \(reference.id) of this store", reason: damage.message))
            return false
        }
        directories.insert(directory)
        report.published.blobs += 1
        report.published.blobBytes += reader.length
        return true
    }

    private func fill(_ file: any File, from reader: BlobReader) throws {
        var stream = reader.stream(verified: true)
        var buffer = [UInt8](repeating: 0, count: BlobFormat.chunkSize)
        var offset: UInt64 = 0
        while true {
            var span = buffer.mutableSpan
            let count = try stream.read(into: &span)
            if count == 0 { return }
            try file.write(buffer.span.extracting(0..<count), at: offset)
            offset += UInt64(count)
        }
    }
}
