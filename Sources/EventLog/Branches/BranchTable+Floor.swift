import Storage

extension BranchTable {
    /// What a vector by the names of now has of a branch up to a place, and of those that it grew from.
    func advance(_ vector: inout VersionVector, along root: BranchRoot, to position: BranchPosition) {
        guard let number = number(of: root) else { return }
        var next: (Int, BranchPosition)? = (continuation(of: number, at: position.sequence), position)
        while let (number, position) = next {
            vector.advance(branches[number].name, to: position.sequence, chain: position.chain)
            next = branches[number].parent.map { ($0, branches[$0].last) }
        }
    }

    /// Goes where a baseline is, on a branch that is not as far; what lies between is in the baseline alone.
    package mutating func leap(_ place: FloorPosition, dataset: DatasetID, lsn: UInt64) {
        let origin = place.root.origin
        let known = number(of: place.root)
        guard known != nil || place.root == BranchRoot(origin: origin) else { return }
        let number = known ?? begin(origin, chain: Chain.start(dataset: dataset, origin: origin))
        guard branches[number].last.sequence < place.position.sequence, !branches[number].isForked else { return }
        reach(number, place, lsn: lsn)
    }
}
