// Invariants
// * `state` is `start` with `records` applied; nothing is written here.
// * Branches are compared by chains alone: those that the log knows, and those that the entries tell.

import Storage

/// Lays out the branches of a baseline's floor on those of a log.
struct FloorLayer {
    private let log: EventLog
    private let start: LogState
    private let now: UInt64
    private var state: LogState
    /// What must come before the baseline's own record.
    private(set) var records: [ControlRecord] = []
    /// Whose branches were moved.
    private(set) var moved: Set<ReplicaID> = []
    private var entries: [Baseline.FloorEntry] = []

    var hasMoved: Bool { !moved.isEmpty }

    init(_ log: EventLog, on state: LogState, now: UInt64) {
        self.log = log
        start = state
        self.state = state
        self.now = max(now, state.clock)
    }

    mutating func add(_ entries: [Baseline.FloorEntry]) throws(LogError) {
        self.entries = entries
        let sorted = entries.sorted { ($0.branch.firstSequence, $0.name) < ($1.branch.firstSequence, $1.name) }
        for entry in sorted where entry.sequence > 0 { try add(entry) }
    }

    private mutating func add(_ entry: Baseline.FloorEntry) throws(LogError) {
        let origin = entry.branch.origin
        let tips = state.branches.branches(of: origin).filter { !state.branches.branches[$0].isForked }
        guard !tips.isEmpty else { return try move(BranchRoot(origin: origin), entry) }
        for tip in tips
        where try agrees(tip, entry, at: min(state.branches.branches[tip].last.sequence, entry.sequence)) ?? true {
            guard state.branches.branches[tip].last.sequence < entry.sequence else { return }
            return try move(state.branches.branches[tip].root, entry)
        }
        try fork(entry, from: tips)
    }

    /// Lets a branch go where an entry is.
    private mutating func move(_ root: BranchRoot, _ entry: Baseline.FloorEntry) throws(LogError) {
        let isHeld = state.branches.number(of: root).map { state.branches.isHeld($0) } ?? false
        guard !isHeld, !HoldRule.holds(entry.timestamp, now: now) else {
            throw LogError(
                .invalidTransaction,
                "the baseline has transactions of \(entry.name) whose clock is over a minute ahead; try again when time has caught up",
                path: log.layout.root)
        }
        apply(.baseline(.zero, floor: [entry.position(on: root)]))
        moved.insert(root.origin)
    }

    private mutating func fork(_ entry: Baseline.FloorEntry, from tips: [Int]) throws(LogError) {
        // It leaves the branch that it has most in common with.
        var best: (tip: Int, sequence: UInt64)?
        for tip in tips {
            var sequence = min(state.branches.branches[tip].last.sequence, entry.sequence - 1)
            while let isSame = try agrees(tip, entry, at: sequence) {
                if isSame, best.map({ sequence > $0.sequence }) ?? true { best = (tip, sequence) }
                guard !isSame, sequence > best?.sequence ?? 0 else { break }
                sequence -= 1
            }
        }
        guard let best else { throw parted(entry) }
        try fork(entry, behind: best.sequence, of: best.tip)
    }

    private mutating func fork(_ entry: Baseline.FloorEntry, behind sequence: UInt64, of tip: Int) throws(LogError) {
        let table = state.branches
        let holder = table.branches[table.holder(of: sequence, towards: tip)]
        guard let behind = chain(at: sequence, towards: entry), let first = chain(at: sequence + 1, towards: entry) else {
            throw log.expired("transaction \(sequence) of \(entry.branch.origin)")
        }
        var continuation = Digest128.zero
        if sequence < holder.last.sequence || !holder.isForked {
            guard let next = try chain(at: sequence + 1, of: tip) else {
                throw log.expired("transaction \(sequence + 1) of \(entry.branch.origin)")
            }
            continuation = next
        }
        apply(
            .fork(
                holder.root, behind: BranchPosition(sequence: sequence, chain: behind), timestamp: .zero,
                continuation: continuation, first: first))
        try move(BranchRoot(origin: entry.branch.origin, firstSequence: sequence + 1, chain: first), entry)
    }

    /// Whether a branch and an entry have the same transactions up to a sequence; nil when it cannot be told.
    private func agrees(_ tip: Int, _ entry: Baseline.FloorEntry, at sequence: UInt64) throws(LogError) -> Bool? {
        guard let own = try chain(at: sequence, of: tip), let its = chain(at: sequence, towards: entry) else { return nil }
        return own == its
    }

    /// The chain on the path to a branch; nil when it is not known any more.
    private func chain(at sequence: UInt64, of tip: Int) throws(LogError) -> Digest128? {
        let table = state.branches
        let holder = table.holder(of: sequence, towards: tip)
        let branch = table.branches[holder]
        if sequence == 0 { return Chain.start(dataset: state.dataset, origin: branch.root.origin) }
        if branch.last.sequence == sequence { return branch.last.chain }
        if branch.root.firstSequence == sequence, branch.root.chain != .zero { return branch.root.chain }
        let earlier = start.branches
        for number in earlier.branches(of: branch.root.origin) {
            // As the log has it: a branch of before may be several by now.
            let before = earlier.branches[number]
            guard before.root.firstSequence <= sequence, before.last.sequence >= sequence,
                let now = table.number(of: before.root), table.continuation(of: now, at: sequence) == holder
            else { continue }
            do throws(LogError) {
                return try log.chain(of: number, at: sequence, in: earlier).chain
            } catch {
                guard error.code == .historyExpired else { throw error }
            }
        }
        for entry in entries where entry.branch.origin == branch.root.origin && entry.sequence >= branch.last.sequence {
            let leads = branch.root.chain == .zero || chain(at: branch.root.firstSequence, towards: entry) == branch.root.chain
            guard leads, chain(at: branch.last.sequence, towards: entry) == branch.last.chain else { continue }
            if let chain = chain(at: sequence, towards: entry) { return chain }
        }
        return nil
    }

    /// The chain on the path to an entry, as far as the entries tell it.
    private func chain(at sequence: UInt64, towards entry: Baseline.FloorEntry) -> Digest128? {
        if sequence == 0 { return Chain.start(dataset: state.dataset, origin: entry.branch.origin) }
        var entry = entry
        while sequence < entry.branch.firstSequence {
            let first = entry.branch
            // Which one it left its name proves.
            let parent = entries.first {
                $0.branch.origin == first.origin && $0.name != entry.name
                    && ForkName.derive(from: $0.name, sequence: first.firstSequence, chain: first.chain) == entry.name
            }
            guard let parent else { return nil }
            entry = parent
        }
        return entry.chain(at: sequence)
    }

    private mutating func apply(_ record: ControlRecord) {
        records.append(record)
        state.apply(.control(record))
    }

    /// The entries by the branches that hold them.
    ///
    /// - Throws: `forked` where such a branch has another name here: the baseline calls its objects by the name that it had there.
    func positions() throws(LogError) -> [FloorPosition] {
        let table = state.branches
        var positions: [FloorPosition] = []
        for entry in entries where entry.sequence > 0 {
            let tips = table.branches(of: entry.branch.origin).filter { !table.branches[$0].isForked }
            var found: Int?
            for tip in tips where found == nil {
                if try agrees(tip, entry, at: entry.sequence) ?? false { found = tip }
            }
            guard let tip = found ?? tips.first else { continue }
            let holder = table.branches[table.holder(of: entry.sequence, towards: tip)]
            guard holder.name == entry.name else { throw parted(entry) }
            positions.append(entry.position(on: holder.root))
        }
        return positions
    }

    private func parted(_ entry: Baseline.FloorEntry) -> LogError {
        LogError(
            .forked,
            "\(entry.branch.origin) goes on differently here than in the baseline, and where they part is not known any more; sync with a store that has its history",
            path: log.layout.root)
    }
}
