extension BranchTable {
    /// Whether every branch leads to a root, so that a walk along the parents ends.
    var isForest: Bool {
        var isRooted = [Bool](repeating: false, count: branches.count)
        for start in branches.indices {
            var path: [Int] = []
            var at: Int? = start
            while let number = at, !isRooted[number] {
                guard path.count < branches.count else { return false }
                path.append(number)
                at = branches[number].parent
            }
            for number in path { isRooted[number] = true }
        }
        return true
    }
}
