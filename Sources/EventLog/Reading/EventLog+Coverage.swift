import Storage
import Synchronization

extension EventLog {
    /// What is durable and applied: what consumers and other stores may be told.
    package var token: HistoryToken { token(at: durableState) }

    /// The token of an earlier or later ``durableState``.
    package func token(at state: LogState) -> HistoryToken {
        // While something is held, a place in the log does not tell what is applied.
        let isWhole = state.branches.branches.allSatisfy { !$0.isHeld }
        let hint =
            isWhole
            ? HistoryToken.Hint(log: logID, lsn: state.position.lastLSN, link: state.position.link)
            : HistoryToken.Hint(log: .zero, lsn: 0)
        return HistoryToken(dataset: dataset, vector: state.branches.versionVector(applied: true), hint: hint)
    }

    /// What is durable here, held or applied: what is told to a peer.
    package var receivedVector: VersionVector { durableState.branches.versionVector(applied: false) }

    /// Which transactions of this log a vector covers.
    ///
    /// An entry means the branch with its chain, whatever that is called here. Of an entry that goes further than this log, what is here
    /// of the branch of that name counts as covered; in an origin that forked, only what its branches have in common.
    ///
    /// - Parameter isToken: an entry whose chain is on no branch is refused; else it covers nothing.
    func coverage(
        of vector: VersionVector, in table: BranchTable, isToken: Bool
    ) throws(LogError) -> Coverage {
        var coverage = Coverage(of: table)
        let floor = try floor.map { FloorCoverage($0, in: table) }
        for entry in vector.entries {
            let tips = candidates(for: entry.origin, in: table)
            // Whoever has all below the floor says so by another entry, or by one above it.
            if let floor, floor.hides(entry, from: tips, in: table) { continue }
            if let tip = try tip(of: entry, among: tips, in: table) {
                coverage.cover(tip, through: entry.sequence)
                continue
            }
            guard let named = tips.first, table.branches[named].name == entry.origin else { continue }
            if tips.allSatisfy({ table.branches[$0].last.sequence >= entry.sequence }) {
                guard isToken else { continue }
                throw LogError(
                    .forked,
                    "the token covers transaction \(entry.sequence) of \(entry.origin) on a branch that is not here; sync with the store that gave it first",
                    path: layout.root)
            }
            let common = tips.count == 1 ? named : table.holder(of: 0, towards: named)
            coverage.cover(common, through: min(entry.sequence, table.branches[common].last.sequence))
        }
        return coverage
    }

    /// The ends of the branches that an id may mean, the one of that name first.
    ///
    /// A name that no branch has now may be an earlier one of a fork.
    private func candidates(for name: ReplicaID, in table: BranchTable) -> [Int] {
        let own = table.branches(of: name)
        let tips = (own.isEmpty ? Array(table.branches.indices) : own).filter { !table.branches[$0].isForked }
        guard let named = tips.first(where: { table.branches[$0].name == name }) else {
            return tips.filter { table.branches[$0].parent != nil }
        }
        let origin = table.branches[named].root.origin
        return [named] + tips.filter { $0 != named && table.branches[$0].root.origin == origin }
    }

    /// The branch whose path has the entry's chain.
    private func tip(
        of entry: VersionVector.Entry, among tips: [Int], in table: BranchTable
    ) throws(LogError) -> Int? {
        for tip in tips where table.branches[tip].last.sequence >= entry.sequence {
            if try chain(of: tip, at: entry.sequence, in: table).chain == entry.chain { return tip }
        }
        return nil
    }

    /// The last LSN before which everything received is covered and a reader can begin at once: by bisection over the segments.
    func lsn(coveredBy coverage: Coverage, in segments: [SegmentCatalog.Entry]) throws(LogError) -> UInt64 {
        var (low, high) = (0, segments.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            let earlier = try catalog.start(of: segments[middle]).branches
            if coverage.coversAll(of: earlier) { low = middle } else { high = middle - 1 }
        }
        return segments.isEmpty ? 0 : segments[low].firstLSN - 1
    }
}

extension BranchTable {
    /// The vector over the branches' names: `applied`, or all that was received.
    package func versionVector(applied: Bool) -> VersionVector {
        VersionVector(
            ascending: vector(applied: applied).map {
                VersionVector.Entry(origin: $0.name, sequence: $0.position.sequence, chain: $0.position.chain)
            })
    }
}
