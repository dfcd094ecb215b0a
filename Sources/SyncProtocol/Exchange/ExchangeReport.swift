import EventLog

/// What an exchange did.
package struct ExchangeReport: Sendable, Equatable {
    /// What went one way.
    package struct Traffic: Sendable, Equatable {
        package var transactions = 0
        /// Bytes of transactions, as they are stored: compressed.
        package var bytes: UInt64 = 0
        package var files = 0
        package var blobs = 0
        package var blobBytes: UInt64 = 0
        package var baselines = 0

        package init() {}
    }

    /// A file that was not, or not wholly, taken.
    package struct SkippedFile: Sendable, Equatable, CustomStringConvertible {
        package var path: String
        /// Where in the file it stops to make sense, when that is known.
        package var offset: UInt64?
        package var reason: String

        package init(path: String, offset: UInt64? = nil, reason: String) {
            self.path = path
            self.offset = offset
            self.reason = reason
        }

        package var description: String { path + (offset.map { ", offset \($0)" } ?? "") + ": " + reason }
    }

    /// What went to the folder, or to the other store.
    package var published = Traffic()
    /// What came in.
    package var imported = Traffic()
    /// How many of the imported transactions are received but not applied yet, because their clock is too far ahead.
    package var held = 0
    /// How many transactions came that were here already.
    package var repeated = 0
    /// How often something imported showed that an origin had forked.
    package var forks = 0
    /// Files that wait for transactions that are not there yet.
    package var waiting = 0
    /// Blobs that imported transactions name and that are not to be had here: they are with another replica, or still on their way.
    package var elsewhere = 0
    package var skipped: [SkippedFile] = []

    package init() {}

    /// Whether nothing had to be done and nothing is missing.
    package var isQuiet: Bool { self == ExchangeReport() }
}

extension ExchangeReport {
    mutating func count(_ received: ReceivedTransactions) {
        imported.transactions += received.new
        held += received.held
        forks += received.isFork ? 1 : 0
    }

    func adding(_ other: ExchangeReport) -> ExchangeReport {
        var sum = self
        sum.add(other)
        return sum
    }

    mutating func add(_ other: ExchangeReport) {
        published.add(other.published)
        imported.add(other.imported)
        held += other.held
        forks += other.forks
        waiting += other.waiting
        elsewhere += other.elsewhere
        skipped += other.skipped
    }

    mutating func skip(_ damage: ExchangeDamage, _ path: String) {
        skipped.append(SkippedFile(path: path, offset: damage.offset, reason: damage.reason))
    }
}

extension ExchangeReport.Traffic {
    mutating func add(_ other: Self) {
        transactions += other.transactions
        bytes += other.bytes
        files += other.files
        blobs += other.blobs
        blobBytes += other.blobBytes
        baselines += other.baselines
    }
}

extension ExchangeReport {
    /// What a session has done.
    package init(_ progress: SessionProgress) {
        self.init()
        imported.transactions = progress.received.new
        imported.bytes = progress.transactionBytesReceived
        imported.blobs = progress.blobsReceived
        imported.blobBytes = progress.blobBytesReceived
        published.transactions = progress.transactionsSent
        published.bytes = progress.transactionBytesSent
        published.blobs = progress.blobsSent
        published.blobBytes = progress.blobBytesSent
        held = progress.received.held
        repeated = progress.received.known
        forks = progress.received.isFork ? 1 : 0
        elsewhere = progress.blobsElsewhere
    }
}
