// Invariants
// * Each log is written by the thread that calls; both are read as they were when a direction began.
// * For one thread at a time.

package import EventLog
import Storage

/// Synchronises two open stores with each other.
///
/// ```swift
/// let report = try DirectExchange(log, blobs, with: otherLog, otherBlobs).sync()
/// ```
package struct DirectExchange: Sendable {
    private struct Side {
        let log: EventLog
        let blobs: BlobStore
        let steps: ExchangeSteps
        /// Which blobs it takes.
        let policy: BlobPolicy
    }

    private let log: EventLog, other: EventLog
    private let blobs: BlobStore, otherBlobs: BlobStore
    private let policy: BlobPolicy

    /// - Parameter policy: which blobs the first store takes; the other one takes all.
    package init(
        _ log: EventLog, _ blobs: BlobStore, with other: EventLog, _ otherBlobs: BlobStore, policy: BlobPolicy = .eager
    ) {
        self.log = log
        self.blobs = blobs
        self.other = other
        self.otherBlobs = otherBlobs
        self.policy = policy
    }

    /// Brings each store what it lacks; the first one receives first.
    ///
    /// - Returns: what happened, as the first store sees it: *published* is what went to the other. Holds, forks and missing blobs
    ///   of both are counted.
    /// - Throws: ``SyncError``; of code `wrongDataset` before anything was done.
    package func sync(
        steps: ExchangeSteps = ExchangeSteps(), otherSteps: ExchangeSteps = ExchangeSteps()
    ) throws(SyncError) -> ExchangeReport {
        guard log.dataset == other.dataset else {
            throw SyncError(
                .wrongDataset, "one store belongs to dataset \(log.dataset), the other to \(other.dataset); they never merge")
        }
        var report = ExchangeReport()
        let here = Side(log: log, blobs: blobs, steps: steps, policy: policy)
        let there = Side(log: other, blobs: otherBlobs, steps: otherSteps, policy: .eager)
        do {
            report.add(try Self.bring(from: there, to: here, .importing))
            var sent = try Self.bring(from: here, to: there, .publishing)
            (sent.published, sent.imported) = (sent.imported, .init())
            report.add(sent)
        } catch let error as SyncError {
            throw error
        } catch {
            throw SyncError(.store, String(describing: error), cause: error)
        }
        return report
    }

    /// Fetches blobs that are asked for from another store's directory; those that are not there are counted as elsewhere.
    package static func fetch(_ wanted: [BlobReference], into blobs: BlobStore, from other: BlobStore) throws -> ExchangeReport
    {
        var arriving = BlobImport(into: blobs, from: StoredBlobs(store: other))
        for reference in wanted { try arriving.take(reference, isDemanded: true) }
        return try arriving.finish()
    }

    private static func bring(
        from source: Side, to target: Side, _ phase: ExchangeProgress.Phase
    ) throws -> ExchangeReport {
        for log in [source.log, target.log] { try log.refresh() }
        let missing = try LogDifference(of: source.log, from: target.log).ranges
        var report = ExchangeReport()
        guard !missing.isEmpty else { return report }
        var reader = try MissingReader(source.log, missing)
        var group = TransactionGroup()
        var count = 0
        func deliver() throws {
            var arriving = BlobImport(into: target.blobs, from: StoredBlobs(store: source.blobs))
            try group.forEachPart(in: source.log) { part, transaction in
                guard target.policy == .eager else { return }
                try arriving.take(part, of: transaction.branch.origin, transaction.sequence)
            }
            report.add(try arriving.finish())
            var receiver = TransactionReceiver(target.log)
            defer { report.add(receiver.report) }
            try target.steps.turn {
                do {
                    try group.send(from: source.log, to: &receiver)
                    try receiver.flush()
                } catch {
                    receiver.abandon()
                    throw error
                }
            }
            count += group.transactions.count
            group = TransactionGroup()
            try target.steps.progress(ExchangeProgress(phase: phase, done: count, total: 0, report: report))
        }
        while let transaction = try reader.next() {
            group.add(transaction)
            if group.isFull { try deliver() }
        }
        if !group.transactions.isEmpty { try deliver() }
        return report
    }
}
