import EventLog
import Storage
import Testing

/// Reads a whole log back and checks all that must hold of any log.
struct LogVerifier {
    /// What identifies a transaction and proves its bytes.
    struct Entry: Hashable, CustomStringConvertible {
        var lsn: UInt64
        var origin: ReplicaID
        var sequence: UInt64
        var chain: Digest128
        var timestamp: Timestamp

        var description: String { "\(lsn): \(origin)/\(sequence)" }
    }

    struct Wrong: Error, CustomStringConvertible {
        var description: String
    }

    /// Every transaction, from `lsn` on, each with its parts checked against its chain.
    static func entries(_ log: EventLog, after lsn: UInt64 = 0) throws -> [Entry] {
        var reader = try LogReader(log, after: lsn)
        var found: [Entry] = []
        var last: [BranchRoot: Entry] = [:]
        while let transaction = try reader.next() {
            var digests: [Digest128] = []
            try log.forEachPart(of: transaction) { digests.append($0.digest) }
            let entry = Entry(
                lsn: transaction.lsn, origin: transaction.branch.origin, sequence: transaction.sequence,
                chain: transaction.chain,
                timestamp: transaction.timestamp)
            guard Chain.step(transaction.previousChain, digests: digests) == transaction.chain else {
                throw Wrong(description: "\(entry) does not have the chain it claims")
            }
            guard entry.lsn == lsn + UInt64(found.count) + 1 else { throw Wrong(description: "\(entry) is out of order") }
            if let before = last[transaction.branch] {
                guard before.sequence + 1 == entry.sequence, before.chain == transaction.previousChain,
                    before.timestamp < entry.timestamp
                else { throw Wrong(description: "\(entry) does not follow \(before)") }
            }
            last[transaction.branch] = entry
            found.append(entry)
        }
        guard found.count == Int(reader.lastLSN - min(lsn, reader.lastLSN)) else {
            throw Wrong(description: "\(found.count) transactions after \(lsn) where the log ends at \(reader.lastLSN)")
        }
        return found
    }

    /// Closes a log and checks that it opens again with nothing mended and the same transactions.
    static func close(_ log: EventLog, at path: String, in environment: Environment) throws {
        let entries = try entries(log)
        try log.close()
        let reopened = try EventLog.open(at: path, in: environment)
        #expect(reopened.recovery.isEmpty)
        #expect(try Self.entries(reopened) == entries)
        try reopened.close()
        try check(path, in: environment, "after closing")
    }

    /// Throws unless every byte of a store is as it must be; returns what was read.
    @discardableResult
    static func check(_ path: String, in environment: Environment, _ when: String = "") throws -> LogVerification {
        let found = try EventLog.verify(at: path, in: environment)
        guard found.isSound else {
            throw Wrong(description: "\(found.problemCount) problems \(when): \(found.problems.prefix(5))")
        }
        return found
    }
}
