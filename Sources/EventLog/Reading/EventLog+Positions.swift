import Storage
import Synchronization

// What one log must know of another's positions to find out where they part.
extension EventLog {
    /// The branch, of those that take transactions, on whose path `position` of `origin` lies; nil when it is not here.
    ///
    /// Reads the log when the position is not where a branch ends. Below the floor a position counts as here: what it was is not known
    /// any more.
    ///
    /// - Parameter table: a durable state of this log.
    package func branch(
        of origin: ReplicaID, holding position: BranchPosition, in table: BranchTable
    ) throws(LogError) -> Int? {
        let below = try floor.map { FloorCoverage($0, in: table) }
        for number in table.branches(of: origin)
        where !table.branches[number].isForked && table.branches[number].last.sequence >= position.sequence {
            do throws(LogError) {
                if try chain(of: number, at: position.sequence, in: table) == position { return number }
            } catch {
                guard error.code == .historyExpired, let below, below.covers(position.sequence, towards: number) else {
                    throw error
                }
                return number
            }
        }
        return nil
    }

    /// The position at a sequence on the path to a branch; nil when it is not known any more, since it lies below the floor.
    ///
    /// - Parameter table: a durable state of this log.
    package func position(
        at sequence: UInt64, towards number: Int, in table: BranchTable
    ) throws(LogError) -> BranchPosition? {
        do throws(LogError) {
            return try chain(of: number, at: sequence, in: table)
        } catch {
            guard error.code == .historyExpired else { throw error }
            return nil
        }
    }

    /// Positions of an origin, descending by sequence, without reading transactions.
    ///
    /// They are where its lines end, and where they were when some segments of the log began, ever fewer the farther back.
    ///
    /// - Parameter limit: how many at most.
    package func landmarks(of origin: ReplicaID, limit: Int) throws(LogError) -> [BranchPosition] {
        let state = durableState
        var found: Set<BranchPosition> = []
        func note(_ table: BranchTable) {
            for number in table.branches(of: origin) where table.branches[number].last.sequence > 0 {
                found.insert(table.branches[number].last)
            }
        }
        note(state.branches)
        guard !found.isEmpty else { return [] }
        let segments = try catalog.segments(through: state.position.ordinal)
        var step = 1
        var index = segments.count - 1
        while index > 0, found.count < limit {
            note(try catalog.start(of: segments[index]).branches)
            index -= step
            step *= 2
        }
        return found.sorted { ($1.sequence, $1.chain) < ($0.sequence, $0.chain) }.prefix(limit).map { $0 }
    }

    /// An LSN before which none of these transactions lies; each is an origin and a sequence.
    package func lsn(beforeAll transactions: [(origin: ReplicaID, sequence: UInt64)]) throws(LogError) -> UInt64 {
        var lowest = UInt64.max
        for transaction in transactions {
            lowest = min(lowest, try lsn(before: transaction.sequence, of: transaction.origin))
            if lowest == 0 { break }
        }
        return lowest
    }

    /// Gives up what ``beginReceiving(_:)`` began.
    package func abandonReceiving(_ collector: PartCollector) {
        var collector = collector
        collector.discard()
        try? leaveIfIdle()
    }
}
