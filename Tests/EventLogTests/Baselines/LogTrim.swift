import EventLog
import Simulation
import Storage

extension LogTrim {
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
