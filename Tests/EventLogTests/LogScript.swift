import EventLog
import Simulation
import Storage

/// A dozen commits of every kind on small segments, the same each time, and what was acknowledged of them.
final class LogScript {
    static let path = "/store"
    static let sizes = LogSizes(
        smallestSegment: 24 << 10, largestSegment: 40 << 10, stagingThreshold: (1 << 20) + (12 << 10))

    private(set) var acknowledged: [LogVerifier.Entry] = []
    /// What came of commits that were neither acknowledged nor known to have failed.
    private(set) var unknown = 0
    private(set) var failed = 0

    /// The store before the script, closed cleanly, with one transaction.
    static func initial(seed: UInt64 = 1) throws -> (disk: SimulatedFileSystem, script: LogScript) {
        let disk = SimulatedFileSystem()
        let script = LogScript()
        let log = try EventLog.create(at: path, in: .simulated(seed: seed, fileSystem: disk), sizes: sizes)
        try script.commit([[200]], to: log)
        try log.close()
        return (disk, script)
    }

    /// Opens the store twice and commits; errors of a commit are noted, those of opening are thrown.
    func run(on disk: SimulatedFileSystem, seed: UInt64 = 2) throws {
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        var first = environment
        first.random = SeededRandom(seed: seed)
        let log = try EventLog.open(at: Self.path, in: first, sizes: Self.sizes)
        for group in [[[100]], [[3000], [20], [700]], [[8000]], [[2500, 4100]], [[9000], [9000]]] { attempt(group, log) }
        try log.close()

        first.random = SeededRandom(seed: seed + 1)
        let again = try EventLog.open(at: Self.path, in: first, sizes: Self.sizes)
        attempt([[50]], again)
        attempt([[6000, 6000, 6000, 5000]], again)
        try? again.abandon(try again.begin())
        for group in [[[12_000]], [[30], [40]], [[7000]]] { attempt(group, again) }
        try again.close()
    }

    /// As `commit`; a failure is counted.
    func attempt(_ group: [[Int]], _ log: EventLog) {
        do {
            try commit(group, to: log)
        } catch {
            if (error as? LogError)?.code == .outcomeUnknown { unknown += 1 } else { failed += 1 }
        }
    }

    /// Commits transactions as one group, each of parts of the given sizes.
    func commit(_ group: [[Int]], to log: EventLog) throws {
        var entries: [LogVerifier.Entry] = []
        for sizes in group {
            let transaction = try log.begin(author: "script")
            let header = transaction.header
            do {
                for number in sizes.indices {
                    try transaction.add(part: Self.part(header, number: number, size: sizes[number]))
                }
            } catch {
                try? log.abandon(transaction)
                throw error
            }
            let chain = transaction.chain
            entries.append(
                LogVerifier.Entry(
                    lsn: try log.finish(transaction).lsn, origin: header.origin, sequence: header.sequence, chain: chain,
                    timestamp: header.timestamp))
        }
        try log.flush()
        acknowledged += entries
    }

    private static func part(_ header: TransactionHeader, number: Int, size: Int) -> [UInt8] {
        var dice = Dice(header.sequence &* 31 &+ UInt64(number))
        let start = number == 0 ? TestPart.bytes(header) : [2, 0, 0, 0]
        return start + TestPart.filler(size) { UInt8(truncatingIfNeeded: dice.next()) }
    }

    /// Commits one transaction that inserts an object for each blob.
    static func write(_ blobs: [BlobReference], to log: EventLog, flushes: Bool = true) throws {
        let transaction = try log.begin(author: "blobs")
        let header = transaction.header
        let builder = try TransactionBuilder(
            origin: header.origin, sequence: header.sequence, timestamp: header.timestamp, author: header.author,
            context: header.context
        ) { try transaction.add(part: $0) }
        for blob in blobs { _ = try builder.insert("Picture", [PropertyValue(Property("data", .blob), .blob(blob))]) }
        _ = try builder.finish()
        _ = try log.finish(transaction)
        if flushes { try log.flush() }
    }

    init() {}

    /// Takes over what another run acknowledged.
    init(after other: LogScript) {
        acknowledged = other.acknowledged
    }

    /// Throws unless a log holds all that was acknowledged, whole and in its place.
    func check(_ log: EventLog, _ when: String = "") throws {
        let entries = try LogVerifier.entries(log)
        for entry in acknowledged {
            guard entry.lsn <= entries.count, entries[Int(entry.lsn) - 1] == entry else {
                throw LogVerifier.Wrong(description: "\(entry) was acknowledged and is not there \(when); there are \(entries)")
            }
        }
    }

    /// Opens what a crash left, checks it, commits, and checks it again after a clean close.
    ///
    /// Returns what opening mended.
    @discardableResult
    func checkRecovery(of disk: SimulatedFileSystem, in environment: Environment) throws -> RecoveryReport {
        let log = try EventLog.open(at: Self.path, in: environment, sizes: Self.sizes)
        try check(log, "after recovery")
        let after = LogScript(after: self)
        try after.commit([[500], [10]], to: log)
        try after.check(log, "after a commit")
        try log.close()
        let readOnly = try EventLog.open(at: Self.path, in: environment, mode: .readOnly, sizes: Self.sizes)
        try after.check(readOnly, "for reading only")
        let reopened = try EventLog.open(at: Self.path, in: environment, sizes: Self.sizes)
        guard reopened.recovery.isEmpty else {
            throw LogVerifier.Wrong(description: "a clean close was not found clean: \(reopened.recovery)")
        }
        try after.check(reopened, "after a clean close")
        try reopened.close()
        try LogVerifier.check(Self.path, in: environment, "after recovery")
        return log.recovery
    }
}
