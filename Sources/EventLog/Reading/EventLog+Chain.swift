import Storage
import Synchronization

extension EventLog {
    /// The chain of a branch at a sequence it holds, itself or through the branches it grew from.
    ///
    /// - Parameter table: the state the branch number is of.
    func chain(of number: Int, at sequence: UInt64, in table: BranchTable) throws(LogError) -> BranchPosition {
        let holder = table.holder(of: sequence, towards: number)
        let branch = table.branches[holder]
        if sequence == branch.last.sequence { return branch.last }
        if sequence == 0 {
            return BranchPosition(sequence: 0, chain: Chain.start(dataset: dataset, origin: branch.root.origin))
        }
        if sequence == branch.root.firstSequence, branch.root.chain != .zero {
            return BranchPosition(sequence: sequence, chain: branch.root.chain)
        }
        let below = try floor.map { FloorCoverage($0, in: table) }
        if let known = below?.position(at: sequence, on: holder) { return known }
        if let below, below.gone.covers(holder, sequence) {
            throw expired("transaction \(sequence) of \(branch.root.origin)")
        }
        guard let found = try transaction(sequence, of: holder, in: table) else {
            throw expired("transaction \(sequence) of \(branch.root.origin)")
        }
        return BranchPosition(sequence: sequence, chain: found.chain)
    }

    /// The transaction of a branch with this sequence.
    func transaction(
        _ sequence: UInt64, of number: Int, in table: BranchTable
    ) throws(LogError) -> StoredTransaction? {
        let origin = table.branches[number].root.origin
        // What is pending is not in a file yet, and what precedes a sequence here was durable long before.
        var reader = try LogReader(self, after: try lsn(before: sequence, of: origin))
        while let transaction = try reader.next() {
            guard transaction.sequence == sequence, transaction.branch.origin == origin else { continue }
            // Siblings have the same sequences: the one whose chain leads to this branch is ours.
            if table.hasForks, transaction.branch != table.branches[number].root { continue }
            return transaction
        }
        return nil
    }

    /// An LSN before which every transaction of `origin` up to `sequence` - 1 lies, at a segment's start: found by bisection.
    func lsn(before sequence: UInt64, of origin: ReplicaID) throws(LogError) -> UInt64 {
        let segments = try catalog.segments(through: durableState.position.ordinal)
        var (low, high) = (0, segments.count - 1)
        // The last segment at whose start no branch of the origin had reached the sequence.
        while low < high {
            let middle = (low + high + 1) / 2
            let table = try catalog.start(of: segments[middle]).branches
            let reached = table.branches(of: origin).map { table.branches[$0].last.sequence }.max() ?? 0
            if reached < sequence { low = middle } else { high = middle - 1 }
        }
        return segments.isEmpty ? 0 : segments[low].firstLSN - 1
    }
}
