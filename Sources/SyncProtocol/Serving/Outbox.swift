// Invariants
// * `passes` are rounds that the peer wants, first come first served; only the first has a reader. `gathered` is what it wants of the
//   round that it is still telling of.
// * Own transactions behind `followed` are sent once the passes are over.

package import EventLog
package import Storage

/// What a peer wants of a log, read as it is asked for.
package struct Outbox {
    private struct Pass {
        var ranges: TransactionRanges
        var round: UInt32
    }

    private let log: EventLog
    private var gathered: [Want] = []
    private var passes: [Pass] = []
    private var reader: MissingReader?
    /// A transaction of several parts that is under way.
    private var large: (transaction: StoredTransaction, parts: PartReader)?
    /// The own line that is followed, how far it was sent, and an LSN behind which the rest lies.
    private var followed: (origin: ReplicaID, last: UInt64, lsn: UInt64)?

    package init(_ log: EventLog) { self.log = log }

    /// Takes what the peer wants of a round of which more follows.
    package mutating func gather(_ wants: [Want]) { gathered += wants }

    /// Takes the rest of what the peer wants of a round, and serves it, unless some of it lies below the floor.
    ///
    /// - Parameter baselines: those that the peer has.
    /// - Returns: the baselines that the peer must have before it can be served; none when it is.
    package mutating func serve(
        _ wants: [Want], round: UInt32, having baselines: Set<Digest128>
    ) throws(LogError) -> [BaselineFile] {
        var ranges = TransactionRanges()
        for want in gathered + wants { try ranges.insert(want, of: log) }
        gathered = []
        let state = log.durableState
        if let (floor, files) = try log.baselines(at: state), ranges.cut(below: floor, in: state.branches) {
            let lacking = files.filter { !baselines.contains($0.identity) }
            guard lacking.isEmpty else { return lacking }
        }
        passes.append(Pass(ranges: ranges, round: round))
        return []
    }

    /// Sends the own transactions behind a position as they are committed.
    package mutating func follow(_ origin: ReplicaID, after position: BranchPosition?) throws(LogError) {
        let sequence = position?.sequence ?? 0
        followed = (origin, sequence, try log.lsn(beforeAll: [(origin, sequence + 1)]))
    }

    /// Reads transactions until there are about `limit` bytes of them.
    package mutating func read(limit: Int) throws -> Outgoing {
        var outgoing = Outgoing()
        var packer = FramePacker()
        while packer.total < limit {
            if let transaction = large?.transaction, var parts = large?.parts {
                let number = parts.position
                guard let part = try parts.next() else {
                    large = nil
                    continue
                }
                packer.add(part, number: number, isLast: parts.isAtEnd, of: transaction)
                large = (transaction, parts)
                continue
            }
            guard let transaction = try nextTransaction(&outgoing) else { break }
            outgoing.transactions += 1
            if case .parts(let parts) = transaction.content, parts.count == 1 {
                packer.add(transaction, parts[0])
            } else {
                large = (transaction, try PartReader(transaction, in: log))
            }
        }
        packer.close()
        outgoing.messages = packer.messages
        outgoing.hasMore = large != nil || reader != nil || !passes.isEmpty
        return outgoing
    }

    private mutating func nextTransaction(_ outgoing: inout Outgoing) throws(LogError) -> StoredTransaction? {
        while true {
            if let transaction = try reader?.next() {
                if let followed, passes.isEmpty { self.followed = (followed.origin, transaction.sequence, transaction.lsn) }
                return transaction
            }
            if reader != nil, !passes.isEmpty { finishPass(&outgoing) }
            reader = nil
            if passes.isEmpty {
                guard try beginFollowing() else { return nil }
            } else if passes[0].ranges.isEmpty {
                finishPass(&outgoing)
            } else {
                reader = try MissingReader(log, passes[0].ranges)
            }
        }
    }

    private mutating func finishPass(_ outgoing: inout Outgoing) {
        outgoing.served.append(passes.removeFirst().round)
    }

    /// Begins to read own transactions that were committed meanwhile; whether there are any.
    private mutating func beginFollowing() throws(LogError) -> Bool {
        guard let followed else { return false }
        let table = log.durableState.branches
        // An own id that was used twice goes on under another one.
        guard let number = table.branches(of: followed.origin).first(where: { !table.branches[$0].isForked }) else {
            return false
        }
        let last = table.branches[number].last.sequence
        guard last > followed.last, table.branches[number].root.firstSequence <= followed.last + 1 else { return false }
        var ranges = TransactionRanges()
        ranges.insert(followed.last + 1...last, of: table.branches[number].root)
        reader = try MissingReader(log, ranges, after: followed.lsn)
        return true
    }
}
