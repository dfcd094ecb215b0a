import SyncProtocol

/// What a sync did.
public struct SyncReport: Hashable, Sendable {
    /// What went one way.
    public struct Traffic: Hashable, Sendable {
        public var transactions = 0
        /// Bytes of transactions, compressed.
        public var bytes: UInt64 = 0
        public var blobs = 0
        public var blobBytes: UInt64 = 0
        /// States that stand for trimmed history.
        public var baselines = 0
    }

    /// What the peer got.
    public var exported = Traffic()
    /// What came from the peer.
    public var imported = Traffic()
    /// Imported transactions that wait because their clock is too far ahead; see ``Store/heldOrigins``.
    public var held = 0
    /// Transactions that came though they were here already.
    public var repeated = 0
    /// How often something showed that an origin's id was used twice: a copied store, or a machine set back.
    public var forks = 0
    /// Files that wait for transactions that are not there yet.
    public var waiting = 0
    /// Blobs that imported objects name and that the peer did not have.
    public var elsewhere = 0
    /// Files that were left alone, each with the reason.
    public var skipped: [String] = []

    init(_ report: ExchangeReport) {
        exported = Traffic(report.published)
        imported = Traffic(report.imported)
        held = report.held
        repeated = report.repeated
        forks = report.forks
        waiting = report.waiting
        elsewhere = report.elsewhere
        skipped = report.skipped.map(\.description)
    }
}

extension SyncReport.Traffic {
    init(_ traffic: ExchangeReport.Traffic) {
        transactions = traffic.transactions
        bytes = traffic.bytes
        blobs = traffic.blobs
        blobBytes = traffic.blobBytes
        baselines = traffic.baselines
    }
}
