// Invariants
// * A branch's number is its place in `branches` and never changes.
// * A branch with children is forked: it ends where they begin, and takes no more transactions.
// * Of an origin, exactly the branches that are not forked take transactions; two of them never end in the same position.
// * Names are a function of the tree: at a fork the child with the lowest chain keeps the name (SPEC.md, section 5.8).
// * Nothing of a branch is applied before everything of the branch it grew from is.

package import Storage

/// Every origin a store has transactions of, and how far it has come in each.
///
/// A value: snapshots are copies.
package struct BranchTable: Sendable, Equatable {
    package private(set) var branches: [Branch] = []
    private var numbers: [ReplicaID: [Int]] = [:]

    package init() {}

    package init(_ branches: [Branch]) {
        self.branches = branches
        for (number, branch) in branches.enumerated() { numbers[branch.root.origin, default: []].append(number) }
    }

    /// The branches whose transactions carry this origin's id.
    package func branches(of origin: ReplicaID) -> [Int] { numbers[origin] ?? [] }

    /// Whether some origin has forked, so that ids in transactions are not the names of their branches.
    package var hasForks: Bool { branches.contains { $0.parent != nil } }

    /// The branch of `origin` that ends in `position` and takes more.
    package func tip(of origin: ReplicaID, at position: BranchPosition) -> Int? {
        branches(of: origin).first { !branches[$0].isForked && branches[$0].last == position }
    }

    package func number(of root: BranchRoot) -> Int? {
        branches(of: root.origin).first { branches[$0].root == root }
    }

    /// The branch that holds `sequence` on the way to `number`: itself or an ancestor.
    package func holder(of sequence: UInt64, towards number: Int) -> Int {
        var number = number
        while sequence < branches[number].root.firstSequence, let parent = branches[number].parent { number = parent }
        return number
    }

    /// Where `sequence` of a branch is now: it, or what became of the rest of it when it split.
    ///
    /// What a branch had beyond a fork has a lower number than anything that came later, so it is the first child.
    package func continuation(of number: Int, at sequence: UInt64) -> Int {
        var number = number
        while branches[number].isForked, sequence > branches[number].last.sequence,
            let child = branches(of: branches[number].root.origin).first(where: { branches[$0].parent == number })
        {
            number = child
        }
        return number
    }

    /// How far one name is covered.
    package struct Named: Sendable, Equatable {
        package var name: ReplicaID
        package var position: BranchPosition
        /// The branch that holds the position.
        package var branch: Int
    }

    /// The vector over the branches' names, ascending: of what is applied, or of all that was received.
    ///
    /// A branch without transactions of its own, or none that is applied, has no entry; then the one it grew from, and shares its name with,
    /// has.
    package func vector(applied: Bool) -> [Named] {
        var named: [ReplicaID: Named] = [:]
        for (number, branch) in branches.enumerated() {
            let position = applied ? branch.applied : branch.last
            guard position.sequence >= branch.root.firstSequence, position.sequence > named[branch.name]?.position.sequence ?? 0
            else { continue }
            named[branch.name] = Named(name: branch.name, position: position, branch: number)
        }
        return named.values.sorted { $0.name < $1.name }
    }

    /// The vector as names and positions: `applied` for tokens and digests, else what was received.
    package func positions(applied: Bool) -> [(name: ReplicaID, position: BranchPosition)] {
        vector(applied: applied).map { ($0.name, $0.position) }
    }

    /// Whether transactions of a branch wait, or would if some came: it or a branch it grew from is held.
    package func isHeld(_ number: Int) -> Bool {
        branches[number].isHeld || branches[number].parent.map { isHeld($0) } ?? false
    }

    /// What changed in the applied vector since `lsn`, without `origin` itself: the context of its next transaction.
    package func context(of origin: ReplicaID, since lsn: UInt64) -> [ContextEntry] {
        guard branches.contains(where: { $0.root.origin != origin && $0.changedLSN > lsn }) else { return [] }
        let changed = vector(applied: true).filter {
            branches[$0.branch].root.origin != origin && branches[$0.branch].changedLSN > lsn
        }
        return changed.map { ContextEntry(origin: $0.name, sequence: $0.position.sequence, chain: $0.position.chain) }
    }
}

extension BranchTable {
    /// Begins an origin, at nothing.
    package mutating func begin(_ origin: ReplicaID, chain start: Digest128) -> Int {
        let branch = Branch(
            root: BranchRoot(origin: origin), parent: nil, name: origin,
            last: BranchPosition(sequence: 0, chain: start), lastTimestamp: .zero)
        return append(branch)
    }

    /// Notes transactions received on a branch.
    ///
    /// While it, or a branch it grew from, is held they are not applied.
    ///
    /// - Parameter hold: where the applied part ends, when this delivery begins a hold.
    package mutating func extend(
        _ number: Int, to position: BranchPosition, timestamp: Timestamp, lsn: UInt64, hold: Hold? = nil
    ) {
        let wasHeld = isHeld(number)
        let before = branches[number]
        branches[number].last = position
        branches[number].lastTimestamp = timestamp
        guard !wasHeld else {
            // Held by the branch it grew from: not before what that one ends with.
            if !before.isHeld { branches[number].heldTimestamp = before.lastTimestamp }
            return
        }
        apply(number, hold ?? branches[number].whole, lsn: lsn)
    }

    /// Applies what was held, up to a position.
    package mutating func release(_ number: Int, through hold: Hold, lsn: UInt64) {
        guard hold.after.sequence > branches[number].applied.sequence else { return }
        apply(number, hold, lsn: lsn)
    }

    private mutating func apply(_ number: Int, _ hold: Hold, lsn: UInt64) {
        if hold.after.sequence > branches[number].applied.sequence { branches[number].changedLSN = lsn }
        branches[number].applied = hold.after
        branches[number].appliedTimestamp = hold.timestamp
        branches[number].heldTimestamp = hold.first
    }

    /// Moves a branch to a place, all of it applied.
    mutating func reach(_ number: Int, _ place: FloorPosition, lsn: UInt64) {
        branches[number].last = place.position
        branches[number].lastTimestamp = place.timestamp
        apply(number, branches[number].whole, lsn: lsn)
    }

    /// Splits a branch behind `fork`: what it had beyond becomes a branch of its own, beside a new one that is still empty.
    ///
    /// - Parameters:
    ///   - continuation: the chain of what the branch had at the sequence behind the fork, nil when it ended there.
    ///   - first: the chain of the new branch at that sequence.
    ///   - lsn: that of the next transaction, under which branches with another name than before are noted as changed.
    /// - Returns: the number of the new branch.
    package mutating func fork(
        _ number: Int, behind fork: BranchPosition, timestamp: Timestamp, continuation: Digest128?, first: Digest128,
        lsn: UInt64
    ) -> Int {
        let old = branches[number]
        if let continuation {
            let root = BranchRoot(origin: old.root.origin, firstSequence: fork.sequence + 1, chain: continuation)
            var rest = Branch(root: root, parent: number, name: old.name, last: old.last, lastTimestamp: old.lastTimestamp)
            rest.applied = old.applied.sequence < fork.sequence ? fork : old.applied
            rest.appliedTimestamp = old.appliedTimestamp
            rest.heldTimestamp = old.applied.sequence < fork.sequence ? timestamp : old.heldTimestamp
            rest.changedLSN = old.changedLSN
            branches[number].last = fork
            branches[number].lastTimestamp = timestamp
            if old.applied.sequence > fork.sequence {
                branches[number].applied = fork
                branches[number].appliedTimestamp = timestamp
            }
            if old.applied.sequence >= fork.sequence { branches[number].heldTimestamp = .zero }
            branches[number].isForked = true
            let restNumber = append(rest)
            for child in branches.indices where child != restNumber && branches[child].parent == number && old.isForked {
                branches[child] = branches[child].reparented(to: restNumber)
            }
            branches[restNumber].isForked = old.isForked
        }
        let root = BranchRoot(origin: old.root.origin, firstSequence: fork.sequence + 1, chain: first)
        var empty = Branch(root: root, parent: number, name: old.name, last: fork, lastTimestamp: timestamp)
        if isHeld(number) { empty.appliedTimestamp = old.appliedTimestamp }
        let new = append(empty)
        rename(old.root.origin, lsn: lsn)
        return new
    }

    private mutating func append(_ branch: Branch) -> Int {
        branches.append(branch)
        numbers[branch.root.origin, default: []].append(branches.count - 1)
        return branches.count - 1
    }

    /// Gives every branch of an origin its name, from the trunk up.
    ///
    /// What a name means to a writer is the last that a context said of it, so a branch with a new name is announced again, and so is the
    /// one it grew from, whose name it may have carried further.
    private mutating func rename(_ origin: ReplicaID, lsn: UInt64) {
        var pending = branches(of: origin).filter { branches[$0].parent == nil }
        for number in pending { branches[number].name = origin }
        while let trunk = pending.popLast() {
            let children = branches(of: origin).filter { branches[$0].parent == trunk }
            let keeper = children.min { branches[$0].root.chain < branches[$1].root.chain }
            for child in children {
                let root = branches[child].root
                let name =
                    child == keeper
                    ? branches[trunk].name
                    : ForkName.derive(from: branches[trunk].name, sequence: root.firstSequence, chain: root.chain)
                guard name != branches[child].name else { continue }
                branches[child].name = name
                branches[child].changedLSN = lsn
                branches[trunk].changedLSN = lsn
            }
            pending += children
        }
    }
}

extension Branch {
    fileprivate func reparented(to parent: Int) -> Branch {
        var copy = Branch(root: root, parent: parent, name: name, last: last, lastTimestamp: lastTimestamp)
        copy.applied = applied
        copy.appliedTimestamp = appliedTimestamp
        copy.heldTimestamp = heldTimestamp
        copy.changedLSN = changedLSN
        copy.isForked = isForked
        return copy
    }
}
