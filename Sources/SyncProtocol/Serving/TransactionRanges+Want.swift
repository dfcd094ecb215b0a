import EventLog
import Storage

extension TransactionRanges {
    /// Adds what is wanted: everything on the way to the tip behind the highest locator that lies on it.
    ///
    /// A tip that is not here adds nothing: the peer learned of it from another log under the same id, or asks for what it made up.
    mutating func insert(_ want: Want, of log: EventLog) throws(LogError) {
        let table = log.durableState.branches
        let tip = want.tip
        guard let number = try log.branch(of: tip.origin, holding: tip.position, in: table) else { return }
        var common: UInt64 = 0
        for locator in want.locators where locator.sequence <= tip.position.sequence {
            guard try log.position(at: locator.sequence, towards: number, in: table) == locator else { continue }
            common = locator.sequence
            break
        }
        insert(after: common, through: tip.position.sequence, towards: number, in: table)
    }

    /// Adds the transactions behind `first` up to `last` on the way to a branch.
    mutating func insert(after first: UInt64, through last: UInt64, towards number: Int, in table: BranchTable) {
        var next: Int? = number
        while let number = next {
            let branch = table.branches[number]
            let low = max(first + 1, branch.root.firstSequence)
            let high = min(last, branch.last.sequence)
            if low <= high { insert(low...high, of: branch.root) }
            next = branch.root.firstSequence > first + 1 ? branch.parent : nil
        }
    }
}
