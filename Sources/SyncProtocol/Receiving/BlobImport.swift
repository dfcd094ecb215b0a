// Invariants
// * What `finish` has returned for is durable in the store: transactions that name it may be received then.
// * A blob that is missing or damaged where it comes from is counted and reported, and holds nothing up.

import EventLog
import Storage

/// Brings the blobs that transactions name into a store, before the transactions.
struct BlobImport: ~Copyable {
    private let store: BlobStore
    private let source: any BlobSource
    private var batch: BlobBatch
    private var decoder = TransactionDecoder()
    /// Blobs dealt with, so that one that many transactions name is looked for once.
    private var seen: Set<BlobID> = []
    private(set) var report = ExchangeReport()
    /// Those that could not be had.
    private(set) var missed: [BlobReference] = []

    init(into store: BlobStore, from source: any BlobSource) {
        self.store = store
        self.source = source
        batch = BlobBatch(store)
    }

    /// Takes the blobs that a part of a transaction names.
    ///
    /// - Throws: when the store fails.
    mutating func take(_ part: PartBytes, of origin: ReplicaID, _ sequence: UInt64) throws {
        // What this version cannot read it passes on; whoever can read it will ask for the blobs.
        guard let references = try? decoder.blobs(of: part, origin: origin, sequence: sequence) else { return }
        for reference in references where reference.inline == nil && seen.insert(reference.id).inserted {
            try take(reference)
        }
    }

    /// Takes one blob, unless it is here.
    ///
    /// - Parameter isDemanded: whether it was asked for; else one that was evicted is left where it is.
    mutating func take(_ reference: BlobReference, isDemanded: Bool = false) throws {
        if try isDemanded ? store.contains(reference.id) : !store.isLacking(reference.id) { return }
        do {
            guard let content = try source.open(reference) else {
                miss(reference)
                return
            }
            defer { content.close() }
            try copy(content, reference)
        } catch let damage as ExchangeDamage {
            miss(reference)
            report.skipped.append(.init(path: "blob \(reference.id)", offset: damage.offset, reason: damage.reason))
        }
    }

    private mutating func miss(_ reference: BlobReference) {
        report.elsewhere += 1
        missed.append(reference)
    }

    private mutating func copy(_ content: any BlobContent, _ reference: BlobReference) throws {
        var offset: UInt64 = 0
        do {
            _ = try batch.receive(reference) { buffer in
                let count = try content.read(into: &buffer, at: offset)
                offset += UInt64(count)
                return count
            }
        } catch let error as LogError where error.code == .blobDamaged {
            miss(reference)
            report.skipped.append(.init(path: content.path, reason: "its bytes are not those of the blob it is called after"))
            return
        }
        report.imported.blobs += 1
        report.imported.blobBytes += offset
    }

    /// Makes what was taken durable.
    consuming func finish() throws -> ExchangeReport {
        let report = report
        try batch.finish()
        return report
    }
}
