extension BranchTable {
    /// What waits for its time, ascending by origin.
    package var heldOrigins: [HeldOrigin] {
        var held: [ReplicaID: HeldOrigin] = [:]
        for branch in branches where branch.isHeld {
            let before = held[branch.name]
            let first = min(branch.applied.sequence + 1, before?.sequences.lowerBound ?? .max)
            let last = max(branch.last.sequence, before?.sequences.upperBound ?? 0)
            held[branch.name] = HeldOrigin(
                origin: branch.name, sequences: first...last,
                timestamp: min(branch.heldTimestamp, before?.timestamp ?? branch.heldTimestamp))
        }
        return held.values.sorted { $0.origin < $1.origin }
    }

    /// Whether some branch may go on at this time.
    package func hasDueHold(now milliseconds: UInt64) -> Bool {
        branches.contains { $0.isHeld && !HoldRule.holds($0.heldTimestamp, now: milliseconds) }
    }

    /// The numbers of the held branches, each behind those it grew from.
    package var heldFromTrunks: [Int] {
        branches.indices.filter { branches[$0].isHeld }.sorted { (depth(of: $0), $0) < (depth(of: $1), $1) }
    }

    /// What releases everything that was received of a name, and of the branches it grew from.
    package func releases(of name: ReplicaID) -> [ControlRecord] {
        var wanted: Set<Int> = []
        for number in branches.indices where branches[number].name == name {
            var next: Int? = number
            while let at = next, wanted.insert(at).inserted { next = branches[at].parent }
        }
        return heldFromTrunks.filter { wanted.contains($0) }.map { .release(branches[$0].root, branches[$0].whole) }
    }

    private func depth(of number: Int) -> Int { branches[number].parent.map { depth(of: $0) + 1 } ?? 0 }
}
