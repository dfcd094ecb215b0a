import Storage

/// What a floor covers, by the branches of a later state.
package struct FloorCoverage {
    private let table: BranchTable
    /// What the baselines cover, and what of it is surely not in the log.
    private(set) var all: Coverage
    private(set) var gone: Coverage
    /// Chains that are known without a transaction.
    private var chains: [Int: [BranchPosition]] = [:]

    package init(_ floor: LogFloor, in table: BranchTable) {
        self.table = table
        all = Coverage(of: table)
        gone = Coverage(of: table)
        for (index, place) in floor.positions.enumerated() {
            guard let number = table.number(of: place.root) else { continue }
            let holder = table.continuation(of: number, at: place.position.sequence)
            all.cover(holder, through: place.position.sequence)
            if index < floor.gone { gone.cover(holder, through: place.position.sequence) }
            chains[holder, default: []].append(place.position)
        }
    }

    /// The last sequence of a branch that it covers; 0 when it covers nothing of it.
    package func last(of number: Int) -> UInt64 { all.last(of: number) }

    /// The position at a sequence where a floor is.
    func position(at sequence: UInt64, on number: Int) -> BranchPosition? {
        chains[number]?.first { $0.sequence == sequence }
    }

    /// Whether the floor lies above an entry on each branch that has so many transactions, so that none can be told by its chain.
    func hides(_ entry: VersionVector.Entry, from tips: [Int], in table: BranchTable) -> Bool {
        let long = tips.filter { table.branches[$0].last.sequence >= entry.sequence }
        return !long.isEmpty
            && long.allSatisfy { tip in
                let holder = table.holder(of: entry.sequence, towards: tip)
                return gone.covers(holder, entry.sequence) && position(at: entry.sequence, on: holder) == nil
                    && table.branches[holder].last.sequence != entry.sequence
            }
    }

    /// Compares transactions that begin below the floor where they reach it: how many there are up to there, and whether they lead there.
    ///
    /// - Returns: nil when they do not begin below the floor, or do not reach it.
    func first(of chains: [Digest128], behind sequence: UInt64, towards number: Int) -> (count: Int, isHere: Bool)? {
        guard gone.covers(table.holder(of: sequence + 1, towards: number), sequence + 1) else { return nil }
        for (index, chain) in chains.enumerated() {
            let reached = sequence + UInt64(index) + 1
            let holder = table.holder(of: reached, towards: number)
            if let place = position(at: reached, on: holder), !gone.covers(holder, reached + 1) {
                return (index + 1, place.chain == chain)
            }
        }
        return nil
    }

    /// Whether a sequence on the path to a branch is at or below the floor.
    func covers(_ sequence: UInt64, towards number: Int) -> Bool {
        sequence > 0 && all.covers(table.holder(of: sequence, towards: number), sequence)
    }
}

extension Coverage {
    /// Covers everything at or below a floor.
    mutating func cover(_ floor: LogFloor, in table: BranchTable) {
        for place in floor.positions {
            guard let number = table.number(of: place.root) else { continue }
            cover(table.continuation(of: number, at: place.position.sequence), through: place.position.sequence)
        }
    }

    /// Whether everything at or below a floor is covered.
    func covers(_ floor: LogFloor, in table: BranchTable) -> Bool {
        floor.positions.allSatisfy { place in
            guard let number = table.number(of: place.root) else { return true }
            let sequence = place.position.sequence
            return covers(table.continuation(of: number, at: sequence), sequence)
        }
    }
}
