import EventLog
import Storage

/// What one log has that another one lacks, whatever has forked since they last met.
struct LogDifference {
    private(set) var ranges = TransactionRanges()

    init(of source: EventLog, from target: EventLog) throws(LogError) {
        let (own, their) = (source.durableState.branches, target.durableState.branches)
        for (number, branch) in own.branches.enumerated() where branch.last.sequence >= branch.root.firstSequence {
            let common = try Self.common(number, of: source, own, with: target, their)
            if common < branch.last.sequence { ranges.insert(common + 1...branch.last.sequence, of: branch.root) }
        }
    }

    /// The last sequence of a branch that both have, or the one before its first.
    private static func common(
        _ number: Int, of source: EventLog, _ own: BranchTable, with target: EventLog, _ their: BranchTable
    ) throws(LogError) -> UInt64 {
        let branch = own.branches[number]
        func isShared(_ position: BranchPosition) throws(LogError) -> Bool {
            try target.branch(of: branch.root.origin, holding: position, in: their) != nil
        }
        if try isShared(branch.last) { return branch.last.sequence }
        var low = branch.root.firstSequence - 1
        var high = branch.last.sequence
        // Mostly the other one just ends earlier.
        for other in their.branches(of: branch.root.origin) {
            let end = their.branches[other].last
            guard end.sequence > low, end.sequence < high else { continue }
            if try source.position(at: end.sequence, towards: number, in: own) == end { low = end.sequence }
        }
        if their.branches(of: branch.root.origin).allSatisfy({ their.branches[$0].last.sequence <= low }) { return low }
        // They part somewhere: a chain proves all before it, so bisect.
        while low + 1 < high {
            let middle = low + (high - low) / 2
            if try isShared(source.position(at: middle, towards: number, in: own)) { low = middle } else { high = middle }
        }
        return low
    }
}
