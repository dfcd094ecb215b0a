import EventLog
import Storage

// Invariants
// * A node's parent has a lower index. Every node hangs by its chain from the start of its origin or from a baseline's floor;
//   a transaction that does not is left out.
// * Children of a node are ascending by chain; the first continues its branch.

/// The transactions of a set as the trees that their chains make, one for each origin.
struct ForkTree {
    struct Node {
        var origin: ReplicaID
        var sequence: UInt64
        var chain: Digest128
        var timestamp: Timestamp
        var parent: Int?
        var branch: Int
        /// Nil where a baseline ends.
        var transaction: Transaction?
        /// The writer's applied vector, by the names it knew, its own entry left out.
        var context: [ReplicaID: ContextEntry]
    }

    private(set) var nodes: [Node] = []
    private(set) var names = BranchNames()
    private var byChain: [Digest128: Int] = [:]
    private let floor: [ReplicaID: UInt64]

    init(_ transactions: some Sequence<Transaction>, baseline: Baseline?) {
        // An origin whose chains the baseline tells of needs no guess.
        let vague = baseline?.floor.filter(\.chains.isEmpty) ?? []
        floor = Dictionary(uniqueKeysWithValues: vague.map { ($0.name, $0.sequence) })
        var successors: [Position: [Transaction]] = [:]
        var seen: Set<Position> = []
        var origins: Set<ReplicaID> = []
        for transaction in transactions {
            let header = transaction.header
            guard seen.insert(Position(header.origin, header.sequence, header.chain)).inserted else { continue }
            let previous = header.sequence == 1 ? .zero : header.previousChain
            successors[Position(header.origin, header.sequence - 1, previous), default: []].append(transaction)
            origins.insert(header.origin)
        }
        var pending = plantFloor(baseline?.floor ?? [])
        for origin in origins.subtracting(pending.map { nodes[$0].origin }).sorted() {
            let children = successors[Position(origin, 0, .zero)] ?? []
            pending += grow(children, from: nil, origin: origin)
        }
        while let parent = pending.popLast() {
            let node = nodes[parent]
            let children = successors[Position(node.origin, node.sequence, node.chain)] ?? []
            pending += grow(children, from: parent, origin: node.origin)
        }
    }

    /// The name of the transaction `sequence` of `origin` as the writer of a node meant it.
    func resolve(_ origin: ReplicaID, _ sequence: UInt64, asKnownBy index: Int) -> ReplicaID {
        let node = nodes[index]
        if origin == node.origin { return names.name(at: sequence, on: node.branch) }
        guard let entry = node.context[origin] else { return origin }
        if let known = byChain[entry.chain], sequence <= entry.sequence {
            return names.name(at: sequence, on: nodes[known].branch)
        }
        // Not in the set. What it is called tells which branch it is, as long as no other branch could be meant.
        guard let branch = names.index(named: origin) else { return origin }
        if entry.sequence <= floor[origin] ?? 0 || !names.isLeft(branch, upTo: sequence) {
            return names.name(at: sequence, on: branch)
        }
        return BranchNames.unresolved(origin, sequence: entry.sequence, chain: entry.chain)
    }

    /// The stamp of a write as the writer of a node meant it: the timestamp says where on the branch it lies.
    func resolve(_ stamp: Stamp, asKnownBy index: Int) -> Stamp {
        let node = nodes[index]
        let start = stamp.replica == node.origin ? index : node.context[stamp.replica].flatMap { byChain[$0.chain] }
        guard let start else { return stamp }
        var place = start
        while nodes[place].timestamp > stamp.timestamp, let parent = nodes[place].parent { place = parent }
        return Stamp(timestamp: stamp.timestamp, replica: names.branches[nodes[place].branch].name)
    }

    /// What the writer of a node had applied, by branch name.
    func resolvedContext(of index: Int) -> [ReplicaID: ContextEntry] {
        var resolved: [ReplicaID: ContextEntry] = [:]
        for entry in nodes[index].context.values {
            let name = resolve(entry.origin, entry.sequence, asKnownBy: index)
            resolved[name] = ContextEntry(origin: name, sequence: entry.sequence, chain: entry.chain).orFurther(resolved[name])
        }
        return resolved
    }

    /// Adds the transactions that follow a node, or that an origin begins with: the one with the lowest chain continues the
    /// branch, each other one begins its own.
    private mutating func grow(_ children: [Transaction], from parent: Int?, origin: ReplicaID) -> [Int] {
        let children = children.sorted { $0.header.chain < $1.header.chain }
        var branch = parent.map { nodes[$0].branch }
        return children.enumerated().map { position, transaction in
            let header = transaction.header
            if let held = branch, position > 0 {
                let new = BranchRoot(origin: origin, firstSequence: header.sequence, chain: header.chain)
                let name = ForkName.derive(
                    from: names.branches[held].name, sequence: header.sequence, chain: header.chain)
                return add(transaction, parent: parent, branch: names.add(new, parent: held, name: name))
            }
            let held = branch ?? names.add(BranchRoot(origin: origin), parent: nil, name: origin)
            branch = held
            return add(transaction, parent: parent, branch: held)
        }
    }

    private mutating func add(_ transaction: Transaction, parent: Int?, branch: Int) -> Int {
        let header = transaction.header
        var context = parent.map { nodes[$0].context } ?? [:]
        for entry in header.context { context[entry.origin] = entry }
        return add(
            Node(
                origin: header.origin, sequence: header.sequence, chain: header.chain, timestamp: header.timestamp,
                parent: parent, branch: branch, transaction: transaction, context: context))
    }

    private mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        if node.chain != .zero { byChain[node.chain] = nodes.count - 1 }
        return nodes.count - 1
    }

    /// Adds a baseline's branches, each after the one it left, which its name proves.
    private mutating func plantFloor(_ floor: [Baseline.FloorEntry]) -> [Int] {
        floor.sorted { ($0.branch.firstSequence, $0.name) < ($1.branch.firstSequence, $1.name) }.map { entry in
            let first = entry.branch
            let parent = names.branches.indices.first { index in
                names.branches[index].branch.origin == first.origin
                    && ForkName.derive(
                        from: names.branches[index].name, sequence: first.firstSequence, chain: first.chain)
                        == entry.name
            }
            let branch = names.add(first, parent: parent, name: entry.name)
            let left = parent.flatMap { parent in
                nodes.lastIndex {
                    $0.origin == first.origin && $0.branch == parent && $0.sequence + 1 == first.firstSequence
                }
            }
            plant(entry, on: branch, leaving: left)
            // Where it lies on its branch is not known; of interest is whether it is of this branch.
            return add(
                Node(
                    origin: first.origin, sequence: entry.sequence, chain: entry.chain,
                    timestamp: left == nil ? entry.timestamp : entry.start, parent: left, branch: branch, transaction: nil,
                    context: Dictionary(uniqueKeysWithValues: entry.context.map { ($0.origin, $0) })))
        }
    }

    /// Adds what is known of a baseline's transactions before the last: nothing grows there, but writers name them.
    private mutating func plant(_ entry: Baseline.FloorEntry, on branch: Int, leaving parent: Int?) {
        let origin = entry.branch.origin
        for (index, chain) in entry.chains.dropLast().enumerated() {
            let sequence = entry.sequence - UInt64(entry.chains.count - 1 - index)
            guard byChain[chain] == nil else { continue }
            _ = add(
                Node(
                    origin: origin, sequence: sequence, chain: chain, timestamp: entry.start, parent: parent, branch: branch,
                    transaction: nil, context: [:]))
        }
    }

    /// A transaction by its place in an origin and the chain there.
    private struct Position: Hashable {
        var origin: ReplicaID, sequence: UInt64, chain: Digest128

        init(_ origin: ReplicaID, _ sequence: UInt64, _ chain: Digest128) {
            self.origin = origin
            self.sequence = sequence
            self.chain = chain
        }
    }
}

extension ContextEntry {
    /// The one of two entries under one name that goes further; the lower chain, to which the name belongs, where both go as far.
    ///
    /// A writer who knew of a fork has two when the fork is not here yet: neither depends on which is looked at first.
    func orFurther(_ other: ContextEntry?) -> ContextEntry {
        guard let other else { return self }
        if sequence != other.sequence { return sequence > other.sequence ? self : other }
        return chain <= other.chain ? self : other
    }
}
