import EventLog
import Storage

/// Trims a log whose transactions are not looked into: the baseline has a floor and no objects.
enum LogTrim {
    /// Lets go of all that is covered; of everything that is applied without a vector.
    @discardableResult
    static func trim(_ log: EventLog, before vector: VersionVector? = nil) throws -> TrimResult? {
        guard let point = try log.trimPoint(before: [vector ?? log.token.vector]) else { return nil }
        var writer = try log.makeBaseline()
        for body in try bodies(of: floor(of: point)) { try writer.append(body) }
        return try log.trim(to: point, writer)
    }

    static func bodies(of floor: [Baseline.FloorEntry]) throws -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        try BaselineWriter.write(Baseline(floor: floor)) { bodies.append($0) }
        return bodies
    }

    static func floor(of point: TrimPoint) -> [Baseline.FloorEntry] {
        let table = point.state.branches
        return point.vector.entries.map { entry in
            let root = table.branches.first { $0.name == entry.origin }?.root ?? BranchRoot(origin: entry.origin)
            let known = point.chains[entry.origin]
            return Baseline.FloorEntry(
                branch: root, name: entry.origin, sequence: entry.sequence, chain: entry.chain,
                timestamp: Timestamp(rawValue: 1), start: known?.start ?? .zero, chains: known?.chains ?? [])
        }
    }

    /// One-part transactions of a log's own, one commit each.
    @discardableResult
    static func write(_ count: Int, to log: EventLog, size: Int = 40) throws -> [HistoryToken] {
        var tokens: [HistoryToken] = []
        for number in 0..<count {
            let transaction = try log.begin(author: "\(number)")
            let filler = TestPart.filler(size) { UInt8(truncatingIfNeeded: number) }
            try transaction.add(part: TestPart.bytes(transaction.header) + filler)
            try log.finish(transaction)
            try log.flush()
            tokens.append(log.token)
        }
        return tokens
    }

    /// The LSNs that are still to be read.
    static func kept(_ log: EventLog) throws -> [UInt64] {
        var reader = try LogReader(log)
        var found: [UInt64] = []
        while let transaction = try reader.next() { found.append(transaction.lsn) }
        return found
    }

    /// Everything that is kept, one batch for each transaction.
    static func batches(_ log: EventLog) throws -> [Batch] {
        var reader = try LogReader(log)
        var found: [Batch] = []
        while let transaction = try reader.next() {
            guard case .parts(let parts) = transaction.content, parts.count == 1 else { continue }
            found.append(
                Batch(
                    origin: transaction.branch.origin, firstSequence: transaction.sequence,
                    previousChain: transaction.previousChain, transactions: parts))
        }
        return found
    }
}
