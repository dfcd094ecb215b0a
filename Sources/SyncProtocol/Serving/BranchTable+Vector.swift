package import EventLog

extension BranchTable {
    /// What a peer that has these tips has, by the names of here.
    ///
    /// A tip of a forked origin counts only where a branch ends in it here: which branch it lies on otherwise, nobody can say without reading.
    package func vector(of tips: [Tip]) -> VersionVector {
        VersionVector(
            tips.compactMap { tip in
                let numbers = branches(of: tip.origin)
                guard
                    let number = numbers.first(where: { branches[$0].last == tip.position })
                        ?? (numbers.count == 1 ? numbers.first : nil)
                else { return nil }
                return VersionVector.Entry(
                    origin: branches[number].name, sequence: tip.position.sequence, chain: tip.position.chain)
            })
    }
}
