// Invariants
// * What is covered of a branch is a prefix of it, and then everything of the branches it grew from is covered too.

/// Which transactions of a log a vector from elsewhere covers, by the log's own branches.
struct Coverage {
    private let table: BranchTable
    /// By number of branch, the last sequence covered.
    private var covered: [UInt64]

    /// Covers nothing.
    init(of table: BranchTable) {
        self.table = table
        covered = Array(repeating: 0, count: table.branches.count)
    }

    /// Covers a branch up to a sequence, and what it grew from.
    mutating func cover(_ number: Int, through sequence: UInt64) {
        var number = table.holder(of: sequence, towards: number)
        covered[number] = max(covered[number], sequence)
        while let parent = table.branches[number].parent {
            covered[parent] = table.branches[parent].last.sequence
            number = parent
        }
    }

    func last(of number: Int) -> UInt64 { covered[number] }

    func covers(_ number: Int, _ sequence: UInt64) -> Bool { sequence <= covered[number] }

    /// Whether all that an earlier state of the same log had received is covered.
    func coversAll(of earlier: BranchTable) -> Bool {
        earlier.branches.indices.allSatisfy { number in
            let last = earlier.branches[number].last.sequence
            // What was one branch may have split since.
            return covers(table.continuation(of: number, at: last), last)
        }
    }
}
