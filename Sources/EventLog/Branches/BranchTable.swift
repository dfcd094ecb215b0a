// Invariants
// * A branch's number is its place in `branches` and never changes.
// * A branch with children is forked: it ends where they begin, and takes no more transactions.
// * Of an origin, exactly the branches that are not forked take transactions; two of them never end in the same position.
// * Names are a function of the tree: at a fork the child with the lowest chain keeps the name (SPEC.md, section 5.8).

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

    /// The vector over the branches' names: `applied` for tokens and digests, else what was received.
    package func positions(applied: Bool) -> [(name: ReplicaID, position: BranchPosition)] {
        branches.indices.filter { !branches[$0].isForked }
            .map { (branches[$0].name, applied ? appliedPosition(of: $0) : branches[$0].last) }
            .filter { $0.1.sequence > 0 }
            .sorted { $0.0 < $1.0 }
    }

    /// How far a branch is applied, the branches it grew from included.
    package func appliedPosition(of number: Int) -> BranchPosition {
        guard let parent = branches[number].parent else { return branches[number].applied }
        let below = appliedPosition(of: parent)
        return below.sequence < branches[parent].last.sequence ? below : branches[number].applied
    }

    /// What changed in the applied vector since `lsn`, without `origin` itself: the context of its next transaction.
    package func context(of origin: ReplicaID, since lsn: UInt64) -> [ContextEntry] {
        branches.filter { !$0.isForked && $0.root.origin != origin && $0.changedLSN > lsn && $0.applied.sequence > 0 }
            .map { ContextEntry(origin: $0.root.origin, sequence: $0.applied.sequence, chain: $0.applied.chain) }
            .sorted { ($0.origin, $0.sequence) < ($1.origin, $1.sequence) }
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
    /// While it is held they are not applied.
    ///
    /// - Parameter heldFrom: the position before the first transaction to hold, when this delivery begins a hold.
    package mutating func extend(
        _ number: Int, to position: BranchPosition, timestamp: Timestamp, lsn: UInt64, heldAfter: BranchPosition? = nil
    ) {
        let wasHeld = branches[number].isHeld
        branches[number].last = position
        branches[number].lastTimestamp = timestamp
        guard !wasHeld else { return }
        let applied = heldAfter ?? position
        if applied.sequence > branches[number].applied.sequence { branches[number].changedLSN = lsn }
        branches[number].applied = applied
    }

    /// Applies what was held, up to a position.
    package mutating func release(_ number: Int, through position: BranchPosition, lsn: UInt64) {
        guard position.sequence > branches[number].applied.sequence else { return }
        branches[number].applied = position
        branches[number].changedLSN = lsn
    }

    /// Splits a branch behind `fork`: what it had beyond becomes a branch of its own, beside a new one that is still empty.
    ///
    /// - Parameters:
    ///   - continuation: the chain of what the branch had at the sequence behind the fork, nil when it ended there.
    ///   - first: the chain of the new branch at that sequence.
    /// - Returns: the number of the new branch.
    package mutating func fork(
        _ number: Int, behind fork: BranchPosition, timestamp: Timestamp, continuation: Digest128?, first: Digest128
    ) -> Int {
        let old = branches[number]
        if let continuation {
            let root = BranchRoot(origin: old.root.origin, firstSequence: fork.sequence + 1, chain: continuation)
            var rest = Branch(root: root, parent: number, name: old.name, last: old.last, lastTimestamp: old.lastTimestamp)
            rest.applied = old.applied.sequence < fork.sequence ? fork : old.applied
            rest.changedLSN = old.changedLSN
            branches[number].last = fork
            branches[number].lastTimestamp = timestamp
            if old.applied.sequence > fork.sequence { branches[number].applied = fork }
            branches[number].isForked = true
            let restNumber = append(rest)
            for child in branches.indices where child != restNumber && branches[child].parent == number && old.isForked {
                branches[child] = branches[child].reparented(to: restNumber)
            }
            branches[restNumber].isForked = old.isForked
        }
        let root = BranchRoot(origin: old.root.origin, firstSequence: fork.sequence + 1, chain: first)
        let new = append(Branch(root: root, parent: number, name: old.name, last: fork, lastTimestamp: timestamp))
        rename(old.root.origin)
        return new
    }

    private mutating func append(_ branch: Branch) -> Int {
        branches.append(branch)
        numbers[branch.root.origin, default: []].append(branches.count - 1)
        return branches.count - 1
    }

    /// Gives every branch of an origin its name, from the trunk up.
    private mutating func rename(_ origin: ReplicaID) {
        var pending = branches(of: origin).filter { branches[$0].parent == nil }
        for number in pending { branches[number].name = origin }
        while let trunk = pending.popLast() {
            let children = branches(of: origin).filter { branches[$0].parent == trunk }
            let keeper = children.min { branches[$0].root.chain < branches[$1].root.chain }
            for child in children {
                let root = branches[child].root
                branches[child].name =
                    child == keeper
                    ? branches[trunk].name
                    : ForkName.derive(from: branches[trunk].name, sequence: root.firstSequence, chain: root.chain)
            }
            pending += children
        }
    }
}

extension Branch {
    fileprivate func reparented(to parent: Int) -> Branch {
        var copy = Branch(root: root, parent: parent, name: name, last: last, lastTimestamp: lastTimestamp)
        copy.applied = applied
        copy.changedLSN = changedLSN
        copy.isForked = isForked
        return copy
    }
}
