// Invariants
// * The ranges of a branch ascend; between two of them there is a gap.

import EventLog
import Storage

/// Some transactions of some branches, by their sequences.
struct TransactionRanges: Equatable {
    private var ranges: [BranchRoot: [ClosedRange<UInt64>]] = [:]

    var isEmpty: Bool { ranges.isEmpty }

    mutating func insert(_ range: ClosedRange<UInt64>, of branch: BranchRoot) {
        var low = range.lowerBound
        var high = range.upperBound
        var apart: [ClosedRange<UInt64>] = []
        for other in ranges[branch] ?? [] {
            // Sequences stay far below the largest number.
            if other.upperBound + 1 < low || high + 1 < other.lowerBound {
                apart.append(other)
            } else {
                low = min(low, other.lowerBound)
                high = max(high, other.upperBound)
            }
        }
        apart.append(low...high)
        ranges[branch] = apart.sorted { $0.lowerBound < $1.lowerBound }
    }

    func contains(_ sequence: UInt64, of branch: BranchRoot) -> Bool {
        ranges[branch]?.contains { $0.contains(sequence) } ?? false
    }

    /// The first of each branch, ascending by branch.
    var firsts: [(branch: BranchRoot, sequence: UInt64)] {
        ranges.compactMap { branch, ranges in ranges.first.map { (branch, $0.lowerBound) } }.sorted { $0.0 < $1.0 }
    }

    /// What a log has and these ranges do not.
    func complement(in table: BranchTable) -> TransactionRanges {
        var rest = TransactionRanges()
        for branch in table.branches {
            var next = branch.root.firstSequence
            let last = branch.last.sequence
            for range in ranges[branch.root] ?? [] {
                if next < range.lowerBound { rest.insert(next...range.lowerBound - 1, of: branch.root) }
                next = max(next, range.upperBound + 1)
            }
            if next <= last { rest.insert(next...last, of: branch.root) }
        }
        return rest
    }

    /// Leaves out everything at or below a floor; whether any of it was there.
    mutating func cut(below floor: LogFloor, in table: BranchTable) -> Bool {
        let covered = FloorCoverage(floor, in: table)
        var isCut = false
        for number in table.branches.indices {
            let last = covered.last(of: number)
            guard last > 0, let found = ranges[table.branches[number].root], found[0].lowerBound <= last else { continue }
            isCut = true
            let rest = found.filter { $0.upperBound > last }.map { max($0.lowerBound, last + 1)...$0.upperBound }
            ranges[table.branches[number].root] = rest.isEmpty ? nil : rest
        }
        return isCut
    }

    /// The whole of both.
    mutating func form(union other: TransactionRanges) {
        for (branch, others) in other.ranges { for range in others { insert(range, of: branch) } }
    }
}
