// Invariants
// * Bytes that one side says are taken by the other before it says more: nothing is on its way for long.
// * For one thread at a time.

package import EventLog
import Storage

/// Synchronises two open stores with each other: a session between them, without a wire.
///
/// ```swift
/// let report = try DirectExchange(log, blobs, with: otherLog, otherBlobs).sync()
/// ```
package struct DirectExchange {
    private struct Side {
        let log: EventLog
        let content: any BlobExchange
        var link: PeerLink
        var inbox: Inbox

        init(_ log: EventLog, _ blobs: BlobStore, nonce: UInt64, policy: BlobPolicy) {
            self.log = log
            content = BlobTransfers(blobs).exchange(with: 0)
            link = PeerLink(
                SessionConfiguration(
                    dataset: log.dataset, replica: log.replica, name: "", isLive: false, blobs: policy, nonce: nonce,
                    wallClock: 0), log: log, blobs: content, now: 0)
            inbox = Inbox(log, blobs, policy: policy)
        }

        /// Stores what waits; whether there was anything.
        mutating func store(_ steps: ExchangeSteps) -> Bool {
            let work = link.takeWaiting()
            guard !work.isEmpty else { return false }
            do {
                for answer in try inbox.store(work, content, in: steps.turn) { link.handle(answer, now: 0) }
            } catch {
                link.fail(error, as: Refusal(storing: error), now: 0)
            }
            return true
        }

        mutating func end() {
            inbox.discard()
            content.end()
        }
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

    /// Brings each store what it lacks.
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
        do {
            return try run(steps, otherSteps)
        } catch let error as SyncError {
            throw error
        } catch {
            throw SyncError(.store, String(describing: error), cause: error)
        }
    }

    /// Fetches blobs that are asked for from another store's directory; those that are not there are counted as elsewhere.
    package static func fetch(_ wanted: [BlobReference], into blobs: BlobStore, from other: BlobStore) throws -> ExchangeReport
    {
        var arriving = BlobImport(into: blobs, from: StoredBlobs(store: other))
        for reference in wanted { try arriving.take(reference, isDemanded: true) }
        return try arriving.finish()
    }

    private func run(_ steps: ExchangeSteps, _ otherSteps: ExchangeSteps) throws -> ExchangeReport {
        for log in [log, other] { try log.refresh() }
        var sides = [
            Side(log, blobs, nonce: 1, policy: policy), Side(other, otherBlobs, nonce: 2, policy: .eager),
        ]
        defer { for number in 0...1 { sides[number].end() } }
        var isQuiet = false
        while sides.contains(where: { $0.link.session.end == nil }), !isQuiet {
            isQuiet = true
            for number in 0...1 {
                let bytes = sides[1 - number].link.takeOutput()
                // Once what it said is gone, it may say more.
                if !bytes.isEmpty { sides[1 - number].link.handle(.tick, now: 0) }
                if !bytes.isEmpty { sides[number].link.handle(.received(bytes[...]), now: 0) }
                let hasStored = sides[number].store(number == 0 ? steps : otherSteps)
                if hasStored || !bytes.isEmpty { isQuiet = false }
            }
            let report = Self.report(sides)
            let done = report.imported.transactions
            try steps.progress(ExchangeProgress(phase: .importing, done: done, total: 0, report: report))
        }
        for side in sides {
            if let failure = side.link.failure { throw failure }
            guard side.link.session.end == .complete else {
                throw SyncError(.store, "the two stores did not come to an end with each other; sync again")
            }
        }
        return Self.report(sides)
    }

    private static func report(_ sides: [Side]) -> ExchangeReport {
        var report = ExchangeReport(sides[0].link.session.progress)
        let other = ExchangeReport(sides[1].link.session.progress)
        report.held += other.held
        report.forks += other.forks
        report.elsewhere += other.elsewhere
        return report
    }
}
