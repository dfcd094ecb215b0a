// Invariants
// * At most `mostDrafts` files are open, with at most `pendingLimit` bytes in memory that are in no frame yet.
// * A draft is finished only after the directories of all blobs that its transactions name were synced.
// * A transaction goes into a file that is not marked as lacking only when every blob it names is in the folder.

import EventLog
import Storage

/// Writes transactions of a log into the exchange files of a store's own subfolder.
struct Publication {
    private static let mostDrafts = 32
    private static let pendingLimit = 8 << 20

    private let log: EventLog
    private let layout: ExchangeLayout
    private let environment: Environment
    private let directory: String
    private let wasPublished: (StoredTransaction) -> Bool
    private var blobs: BlobPublication
    private var decoder = TransactionDecoder()
    private var drafts: [BranchRoot: ExchangeDraft] = [:]
    /// Bytes in memory, of all drafts.
    private var pending = 0
    private var written = ExchangeReport()

    /// - Parameter wasPublished: whether a transaction is in a file already that was published without its blobs.
    init(
        _ log: EventLog, _ store: BlobStore, _ layout: ExchangeLayout, _ environment: Environment,
        wasPublished: @escaping (StoredTransaction) -> Bool
    ) throws {
        self.log = log
        self.layout = layout
        self.environment = environment
        self.wasPublished = wasPublished
        directory = try layout.prepare(log.replica, in: environment.fileSystem)
        blobs = BlobPublication(store, layout, environment, drafts: directory)
        try removeLeftovers()
    }

    var report: ExchangeReport { written.adding(blobs.report) }

    /// Adds a transaction; returns whether that completed a file.
    mutating func add(_ transaction: StoredTransaction) throws -> Bool {
        let files = written.published.files
        var (hasBlobs, isComplete) = (false, true)
        try log.forEachPart(of: transaction) { part, _ in
            let found = try? decoder.blobs(of: part, origin: transaction.branch.origin, sequence: transaction.sequence)
            for reference in found ?? [] where reference.inline == nil {
                hasBlobs = true
                if try !blobs.publish(reference) { isComplete = false }
            }
        }
        if wasPublished(transaction) {
            // Published again only to complete it, and what follows that in the same file.
            let isNeeded = hasBlobs ? isComplete : drafts[transaction.branch]?.isFollowed(by: transaction) ?? false
            guard isNeeded else { return false }
        }
        try append(transaction, lacking: hasBlobs ? !isComplete : nil)
        try limit(transaction.branch)
        return written.published.files > files
    }

    /// Makes everything durable under its name.
    mutating func finish() throws {
        for branch in drafts.keys.sorted() { try finish(branch) }
        try blobs.settle()
    }

    /// Gives up what has no name yet.
    func discard() {
        for draft in drafts.values { draft.discard() }
    }

    /// - Parameter lacking: whether blobs that it names are not in the folder; nil when it names none.
    private mutating func append(_ transaction: StoredTransaction, lacking: Bool?) throws {
        let branch = transaction.branch
        if let draft = drafts[branch], !draft.isFollowed(by: transaction) || (lacking ?? draft.isLacking) != draft.isLacking {
            try finish(branch)
        }
        if drafts[branch] == nil {
            if drafts.count >= Self.mostDrafts, let largest = drafts.keys.sorted().max(by: { size($0) < size($1) }) {
                try finish(largest)
            }
            drafts[branch] = try ExchangeDraft(
                of: branch.origin,
                from: BranchPosition(sequence: transaction.sequence - 1, chain: transaction.previousChain),
                isLacking: lacking ?? false, dataset: log.dataset, in: directory, environment)
        }
        guard var draft = drafts.removeValue(forKey: branch) else { return }
        defer { drafts[branch] = draft }
        pending -= draft.pendingSize
        defer { pending += draft.pendingSize }
        if case .parts(let parts) = transaction.content, parts.count == 1 {
            try draft.add(transaction, parts[0])
        } else {
            var number = 0
            try log.forEachPart(of: transaction) { part, isLast in
                try draft.add(part, number: number, isLast: isLast, chain: transaction.chain)
                number += 1
            }
        }
    }

    private func size(_ branch: BranchRoot) -> UInt64 { drafts[branch]?.size ?? 0 }

    /// Keeps to the limits.
    private mutating func limit(_ branch: BranchRoot) throws {
        if size(branch) >= ExchangeFormat.preferredFile { try finish(branch) }
        while pending > Self.pendingLimit, let fullest = drafts.max(by: { $0.value.pendingSize < $1.value.pendingSize })?.key {
            guard var draft = drafts.removeValue(forKey: fullest) else { break }
            defer { drafts[fullest] = draft }
            pending -= draft.pendingSize
            try draft.settle()
        }
    }

    private mutating func finish(_ branch: BranchRoot) throws {
        guard var draft = drafts[branch] else { return }
        try blobs.settle()
        // Finishing it writes that into a frame.
        let held = draft.pendingSize
        let length = try draft.finish()
        drafts[branch] = nil
        pending -= held
        written.published.files += 1
        written.published.transactions += draft.transactions
        written.published.bytes += length
    }

    /// Removes what an interrupted publication left; young files may be another process' work in hand.
    private func removeLeftovers() throws {
        let now = environment.clock.now()
        for name in try environment.fileSystem.list(directory) where ExchangeFormat.isDraft(name) {
            let path = Path.join(directory, name)
            guard let found = try environment.fileSystem.attributes(of: path), !found.isDirectory,
                found.modification / 1_000_000 + ExchangeFormat.leftoverAge <= now
            else { continue }
            try? environment.fileSystem.remove(path)
        }
    }
}
