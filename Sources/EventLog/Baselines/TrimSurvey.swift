// Invariants
// * What was read is a prefix of the log; `reached` says by branch how far it goes, the floor included.
// * `unmet` are positions that writers of what was read had applied, and that are not in it.

import Storage

/// What a log must know of its transactions before it lets some of them go: read once, headers only.
struct TrimSurvey {
    /// A place where the log may begin.
    struct Candidate {
        let entry: SegmentCatalog.Entry
        let start: SegmentIndex
    }

    private let state: LogState
    private var reached: [Int: UInt64] = [:]
    private var unmet: [(number: Int, sequence: UInt64)] = []
    /// Something was applied by a writer that is not here at all.
    private var isOpen = false
    /// By chain, the place of each transaction of an origin that forked.
    private var places: [Digest128: (number: Int, sequence: UInt64)] = [:]
    private let firstForks: [ReplicaID: UInt64]
    private let floorToken: HistoryToken?

    init(_ log: EventLog, at state: LogState) throws(LogError) {
        self.state = state
        floorToken = try log.floorToken(at: state)
        let branches = state.branches.branches
        var forks: [ReplicaID: UInt64] = [:]
        for branch in branches where branch.parent != nil {
            let origin = branch.root.origin
            forks[origin] = min(forks[origin] ?? .max, branch.root.firstSequence)
        }
        firstForks = forks
        for place in try log.floor(at: state)?.positions ?? [] {
            guard let number = state.branches.number(of: place.root) else { continue }
            reach(state.branches.continuation(of: number, at: place.position.sequence), place.position.sequence)
        }
        guard !forks.isEmpty else { return }
        var reader = try LogReader(log, state: state)
        while let stored = try reader.next() {
            guard forks[stored.branch.origin] != nil, let number = state.branches.number(of: stored.branch) else { continue }
            places[stored.chain] = (number, stored.sequence)
        }
    }

    /// The last of some places, ascending, where all that is before it is applied, and so is all that its writers had applied.
    mutating func last(of candidates: [Candidate], in log: EventLog) throws(LogError) -> Candidate? {
        var left = candidates[...]
        var found: Candidate?
        var reader = try LogReader(log, state: state)
        while !left.isEmpty {
            let stored = try reader.next()
            while let next = left.first, stored.map({ $0.lsn >= next.entry.firstLSN }) ?? true {
                if isClosed() { found = next }
                left.removeFirst()
            }
            guard let stored else { break }
            try note(stored, in: log)
        }
        return found
    }

    private mutating func note(_ stored: StoredTransaction, in log: EventLog) throws(LogError) {
        guard let number = state.branches.number(of: stored.branch) else {
            isOpen = true
            return
        }
        guard stored.sequence <= state.branches.branches[number].applied.sequence else {
            // It waits, and nothing that waits is let go.
            isOpen = true
            return
        }
        reach(number, stored.sequence)
        for entry in try log.header(of: stored).context { note(entry) }
    }

    /// Takes note of what a writer had applied.
    private mutating func note(_ entry: ContextEntry) {
        if let place = places[entry.chain] {
            if reached[place.number] ?? 0 < place.sequence { unmet.append((place.number, place.sequence)) }
            return
        }
        if let floorToken, entry.sequence <= floorToken.vector.sequence(of: entry.origin) { return }
        let numbers = state.branches.branches(of: entry.origin)
        guard let trunk = numbers.first(where: { state.branches.branches[$0].parent == nil }),
            entry.sequence < firstForks[entry.origin] ?? .max
        else {
            isOpen = true
            return
        }
        if reached[trunk] ?? 0 < entry.sequence { unmet.append((trunk, entry.sequence)) }
    }

    private mutating func reach(_ number: Int, _ sequence: UInt64) {
        var next: (Int, UInt64)? = (number, sequence)
        while let (number, sequence) = next {
            reached[number] = max(reached[number] ?? 0, sequence)
            next = state.branches.branches[number].parent.map { ($0, state.branches.branches[$0].last.sequence) }
        }
    }

    private mutating func isClosed() -> Bool {
        unmet.removeAll { reached[$0.number] ?? 0 >= $0.sequence }
        return !isOpen && unmet.isEmpty
    }
}

extension EventLog {
    /// What part 0 of a transaction begins with.
    package func header(of stored: StoredTransaction) throws(LogError) -> TransactionHeader {
        var first: PartBytes?
        switch stored.content {
        case .parts(let parts): first = parts.first
        case .staged(let commit):
            var reader = try StageReader(commit, layout: layout, fileSystem: environment.fileSystem, dataset: dataset)
            first = try reader.next()
        }
        guard let first else {
            throw LogError(.corrupt, "transaction \(stored.sequence) of \(stored.name) has no parts", path: layout.log)
        }
        return try LogError.damage(in: "transaction \(stored.sequence) of \(stored.name)") { () throws(StorageError) in
            try TransactionDecoder.header(
                of: first, origin: stored.branch.origin, sequence: stored.sequence, previousChain: stored.previousChain,
                chain: stored.chain)
        }
    }
}
