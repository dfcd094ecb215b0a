package import EventLog
package import Storage

// Invariants
// * `lines` are those of a log's table, by the same numbers and under the names that they have there.
// * `places` has every transaction that was learnt of, from the first fork of its origin on: what comes before is on one branch. Of
//   others it has those that a writer called by a name that no branch here has: it knew of a fork that is not here.
// * `pasts` is what the writers of each branch had applied when they wrote the last transaction that was followed. Transactions of a
//   branch are followed in order, and those of the branch that it left before.
// * `open` are positions that writers who were followed had applied and that are not here, as far as a name hangs on them.

/// What ids mean in the transactions of a log, as SPEC.md, section 5.8, says it, for who reads them one by one.
///
/// It first learns which transactions there are, then follows those that are applied, and names them. What it remembers of each is
/// little, and nothing before the first fork; ``ResolvedHistory`` is the definition.
package struct NameResolver: Sendable {
    struct Line: Hashable, Sendable {
        let root: BranchRoot
        let parent: Int?
        let name: ReplicaID
        /// When its first transaction was written; of use where it left another branch.
        var start: Timestamp = .zero
    }

    private(set) var lines: [Line]
    private(set) var places: [Digest128: Int] = [:]
    var pasts: [Int: Past] = [:]
    var open: Set<Digest128> = []
    /// The LSN up to which it has learnt.
    package var learnt: UInt64 = 0
    /// The branch that a name begins with.
    private var byName: [ReplicaID: Int] = [:]
    /// By origin, the first sequence that several branches have.
    private var forks: [ReplicaID: UInt64] = [:]
    /// By name, the first sequence at which a branch of another name leaves.
    private var leaves: [ReplicaID: UInt64] = [:]

    package init(_ table: BranchTable) { self.init(table.branches.map(Line.init)) }

    init(_ lines: [Line], places: [Digest128: Int] = [:]) {
        self.lines = lines
        self.places = places
        for number in lines.indices { index(number) }
    }

    private mutating func index(_ number: Int) {
        let branch = lines[number]
        guard let parent = branch.parent else {
            byName[branch.name] = number
            return
        }
        let first = branch.root.firstSequence
        forks[branch.root.origin] = min(first, forks[branch.root.origin] ?? first)
        let left = lines[parent].name
        guard left != branch.name else { return }
        byName[branch.name] = number
        leaves[left] = min(first, leaves[left] ?? first)
    }

    /// Takes note of what a baseline stands for: where its transactions are, and what their writers had applied.
    package mutating func plant(_ entry: Baseline.FloorEntry) {
        guard entry.sequence > 0, UInt64(entry.chains.count) <= entry.sequence + 1,
            let end = line(named: entry.name, at: entry.sequence)
        else { return }
        for (index, chain) in entry.chains.enumerated() {
            let sequence = entry.sequence - UInt64(entry.chains.count - 1 - index)
            guard sequence > 0, let number = line(named: entry.name, at: sequence) else { continue }
            places[chain] = number
        }
        if let first = byName[entry.name], lines[first].parent != nil { lines[first].start = entry.start }
        guard pasts[end]?.sequence ?? 0 < entry.sequence else { return }
        var past = Past(sequence: entry.sequence, isPlain: entry.context.allSatisfy { isPlain($0.origin) })
        for context in entry.context { past.entries[context.origin] = context }
        pasts[end] = past
    }

    /// The branch of a name that holds a sequence.
    private func line(named name: ReplicaID, at sequence: UInt64) -> Int? {
        lines.indices.filter { lines[$0].name == name && lines[$0].root.firstSequence <= sequence }
            .max { lines[$0].root.firstSequence < lines[$1].root.firstSequence }
    }

    /// Whether any origin is forked; without one every id is its own name.
    package var isForked: Bool { !forks.isEmpty }

    /// Whether it has learnt of nothing, for there is nothing to learn: each id is its own name.
    package var isPlain: Bool { learnt == 0 }

    /// Whether all that was named has the names that it was written with, and what comes will too as long as there is no fork.
    package var isTrivial: Bool {
        !isForked && places.isEmpty && pasts.values.allSatisfy { $0.isPlain || $0.entries.keys.allSatisfy(isPlain) }
    }

    /// Of each forked origin the first sequence that several branches have, ascending by origin.
    package var firstForks: [(origin: ReplicaID, sequence: UInt64)] {
        forks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Takes over a later state of the log, unless there are other branches of an origin now, or other names.
    ///
    /// - Returns: whether it did.
    package mutating func adopt(_ table: BranchTable) -> Bool {
        guard table.branches.count >= lines.count else { return false }
        for (number, held) in lines.enumerated() where !held.isSame(as: Line(table.branches[number])) { return false }
        let new = table.branches[lines.count...]
        guard new.allSatisfy({ $0.parent == nil }) else { return false }
        for branch in new {
            lines.append(Line(branch))
            index(lines.count - 1)
        }
        return true
    }

    /// Takes note that a transaction was received, whether it is applied or not.
    ///
    /// - Returns: whether some writer that was followed had applied it, and no name could be told by it so far.
    package mutating func learn(_ stored: StoredTransaction, on number: Int) -> Bool {
        let isShared = forks[stored.branch.origin].map { stored.sequence < $0 } ?? true
        guard !isShared || open.contains(stored.chain) else { return false }
        places[stored.chain] = number
        if stored.sequence == lines[number].root.firstSequence { lines[number].start = stored.timestamp }
        return open.remove(stored.chain) != nil
    }

    /// Takes note of where a transaction is that ``isUnknown(_:)`` was true of.
    ///
    /// - Returns: as ``learn(_:on:)``.
    package mutating func place(_ chain: Digest128, on number: Int) -> Bool {
        places[chain] = number
        return open.remove(chain) != nil
    }

    /// Whether an entry of a context has a name that no branch here has, and may be here all the same.
    package func isUnknown(_ entry: ContextEntry) -> Bool { byName[entry.origin] == nil && places[entry.chain] == nil }

    /// The branch that a position of an origin is on, given the origin's id or the branch's name; nil when it is not here.
    package func place(of name: ReplicaID, _ sequence: UInt64, _ chain: Digest128) -> Int? {
        if let place = places[chain] { return place }
        guard let named = byName[name] else { return nil }
        let origin = lines[named].root.origin
        return sequence < forks[origin] ?? .max ? byName[origin] : nil
    }

    /// The name under which the transaction `sequence` on the path to a branch is known.
    package func name(at sequence: UInt64, on number: Int) -> ReplicaID { lines[holder(of: sequence, towards: number)].name }

    /// The first branch that has this name, with its root, when it left another one.
    package func root(of name: ReplicaID) -> BranchRoot? {
        byName[name].flatMap { lines[$0].parent == nil ? nil : lines[$0].root }
    }

    /// The branches on the path to one, itself first.
    func path(to number: Int) -> some Sequence<Int> { sequence(first: number) { lines[$0].parent } }

    private func holder(of sequence: UInt64, towards number: Int) -> Int {
        path(to: number).first { sequence >= lines[$0].root.firstSequence } ?? number
    }

    /// Where the origin of a branch forks first; nil when it does not.
    func forkOf(_ number: Int) -> UInt64? { forks[lines[number].root.origin] }

    /// Whether an id that a context gives is that of an origin that never forked.
    func isPlain(_ name: ReplicaID) -> Bool {
        guard let number = byName[name] else { return false }
        return lines[number].root.origin == name && forks[name] == nil
    }
}

// What a writer meant.
extension NameResolver {
    /// The name of the transaction `sequence` of `origin`.
    ///
    /// - Parameters:
    ///   - number: the branch of the writer.
    ///   - past: what the writer had applied.
    func resolve(_ origin: ReplicaID, _ sequence: UInt64, on number: Int, _ past: Past) -> ReplicaID {
        if origin == lines[number].root.origin { return name(at: sequence, on: number) }
        guard let entry = past.entries[origin] else { return origin }
        if sequence <= entry.sequence, let known = place(of: origin, entry.sequence, entry.chain) {
            return name(at: sequence, on: known)
        }
        // Not here. What it is called tells which branch it is, as long as no other branch could be meant.
        guard let named = byName[origin] else { return origin }
        guard let left = leaves[origin], left <= sequence else { return name(at: sequence, on: named) }
        return BranchNames.unresolved(origin, sequence: entry.sequence, chain: entry.chain)
    }

    /// The stamp of a write: the timestamp says where on the path it lies.
    func resolve(_ stamp: Stamp, on number: Int, _ past: Past) -> Stamp {
        var start: Int?
        if stamp.replica == lines[number].root.origin {
            start = number
        } else if let entry = past.entries[stamp.replica] {
            start = place(of: stamp.replica, entry.sequence, entry.chain)
        }
        guard var place = start else { return stamp }
        while lines[place].start > stamp.timestamp, let parent = lines[place].parent,
            lines[parent].root.firstSequence < lines[place].root.firstSequence
        {
            place = parent
        }
        return Stamp(timestamp: stamp.timestamp, replica: lines[place].name)
    }

    /// Adds the path to a branch, by its name: its own sequences and those of the branches it left.
    func cover(_ name: ReplicaID, upTo sequence: UInt64, in vector: inout [ReplicaID: UInt64]) {
        vector[name] = max(sequence, vector[name] ?? 0)
        guard var number = byName[name] else { return }
        while let parent = lines[number].parent {
            let end = lines[number].root.firstSequence - 1
            if end > 0 { vector[lines[parent].name] = max(end, vector[lines[parent].name] ?? 0) }
            number = parent
        }
    }
}

extension NameResolver.Line {
    init(_ branch: Branch) { self.init(root: branch.root, parent: branch.parent, name: branch.name) }

    fileprivate func isSame(as other: Self) -> Bool { root == other.root && parent == other.parent && name == other.name }
}
