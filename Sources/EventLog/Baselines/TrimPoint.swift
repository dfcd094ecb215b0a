package import Storage
import Synchronization

/// A place where a log may begin, once a baseline stands for all that is before it.
package struct TrimPoint: Sendable {
    /// The segment that then is the first, and the last LSN before it.
    package let ordinal: UInt64, lsn: UInt64
    /// The state of the log that it was chosen by.
    package let state: LogState
    /// Up to where transactions go, by the names that branches have now.
    package let vector: VersionVector
    /// By name, in origins that forked: when a branch began, and the chains of its transactions from the one before the first fork on.
    package internal(set) var chains: [ReplicaID: (start: Timestamp, chains: [Digest128])] = [:]
}

extension EventLog {
    /// The last place where the log may begin so that everything before it is covered by all of some vectors.
    ///
    /// A segment that is all covered is ended first, so that it can go. Nothing that waits is let go, nor anything whose writer had
    /// applied what is not let go too.
    ///
    /// - Returns: nil when the log cannot begin later than it does.
    package func trimPoint(before vectors: [VersionVector]) throws(LogError) -> TrimPoint? {
        try flush()
        var state = durableState
        let coverages = try vectors.map { (vector) throws(LogError) in
            try coverage(of: vector, in: state.branches, isToken: false)
        }
        if coverages.allSatisfy({ $0.coversAll(of: state.branches) }) {
            state = try endSegment(of: state)
        }
        let front = try catalog.front()
        let joined = state.joined
        var candidates: [TrimSurvey.Candidate] = []
        for entry in try catalog.segments(through: state.position.ordinal) where entry.ordinal > front.firstOrdinal {
            let start = try catalog.start(of: entry)
            guard coverages.allSatisfy({ $0.coversAll(of: start.branches) }) else { break }
            // What came from elsewhere stands for more than what is before it.
            if start.joined == joined { candidates.append(TrimSurvey.Candidate(entry: entry, start: start)) }
        }
        guard !candidates.isEmpty else { return nil }
        var survey = try TrimSurvey(self, at: state)
        guard let found = try survey.last(of: candidates, in: self) else { return nil }
        return try point(found, state)
    }

    private func point(_ found: TrimSurvey.Candidate, _ state: LogState) throws(LogError) -> TrimPoint {
        let table = state.branches
        var vector = VersionVector()
        for branch in found.start.branches.branches where branch.last.sequence >= branch.root.firstSequence {
            table.advance(&vector, along: branch.root, to: branch.last)
        }
        var point = TrimPoint(ordinal: found.entry.ordinal, lsn: found.entry.firstLSN - 1, state: state, vector: vector)
        if table.hasForks { point.chains = try chains(upTo: point, in: table) }
        return point
    }

    /// Gathers the chains of origins that forked: those that an earlier baseline knows, then those of the log.
    private func chains(
        upTo point: TrimPoint, in table: BranchTable
    ) throws(LogError) -> [ReplicaID: (start: Timestamp, chains: [Digest128])] {
        var firstForks: [ReplicaID: UInt64] = [:]
        for branch in table.branches where branch.parent != nil {
            let origin = branch.root.origin
            firstForks[origin] = min(firstForks[origin] ?? .max, branch.root.firstSequence)
        }
        // Several baselines may tell of the same transaction, and the log have it too.
        var places: [ReplicaID: [UInt64: Digest128]] = [:]
        var starts: [ReplicaID: Timestamp] = [:]
        for file in try baselines(at: point.state)?.files ?? [] {
            for entry in try file.frame().floor where firstForks[entry.branch.origin] != nil {
                starts[entry.name] = max(entry.start, starts[entry.name] ?? .zero)
                // An origin that had not forked then has nothing of interest but where it ended.
                let chains = entry.chains.isEmpty ? [entry.chain] : entry.chains
                for (index, chain) in chains.reversed().enumerated() {
                    places[entry.name, default: [:]][entry.sequence - UInt64(index)] = chain
                }
            }
        }
        var reader = try LogReader(self, state: point.state)
        while let stored = try reader.next(), stored.lsn <= point.lsn {
            guard let first = firstForks[stored.branch.origin], stored.sequence + 1 >= first else { continue }
            places[stored.name, default: [:]][stored.sequence] = stored.chain
            if starts[stored.name] == nil { starts[stored.name] = stored.timestamp }
        }
        var gathered: [ReplicaID: (start: Timestamp, chains: [Digest128])] = [:]
        for (name, known) in places {
            var chains: [Digest128] = []
            var sequence = point.vector.sequence(of: name)
            while let chain = known[sequence] {
                chains.append(chain)
                guard sequence > 0 else { break }
                sequence -= 1
            }
            // The branch that an origin begins with has no start of interest.
            let start = table.branches(of: name).isEmpty ? starts[name] ?? .zero : .zero
            gathered[name] = (start, chains.reversed())
        }
        return gathered
    }

    /// Ends the segment that the log ends in, unless there is nothing in it.
    private func endSegment(of state: LogState) throws(LogError) -> LogState {
        guard mode == .readWrite else { return state }
        return try entered { () throws(LogError) in
            try locked(tail) { (tail) throws(LogError) -> LogState in
                // Somebody wrote meanwhile, or the segment has its first index only.
                guard tail.position == state.position, tail.position.group > 1, !tail.owesSegment, !hasPending else {
                    return state
                }
                do throws(LogError) {
                    if let shared, shared.isClean {
                        try mark(isClean: false, &tail)
                        shared.setClean(false)
                    }
                    try tail.roll()
                } catch {
                    try handle(error, tail: &tail)
                    throw error
                }
                let rolled = tail.state
                front.withLock { $0.state = rolled }
                publish(rolled)
                return rolled
            }
        }
    }
}
