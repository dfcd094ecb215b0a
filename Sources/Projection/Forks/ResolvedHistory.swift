package import EventLog
package import Storage

// Invariants
// * `transactions` are ascending by (branch name, sequence), each once, with every id by its branch's name.
// * `knowledge` has an entry for each: what its writer had applied, itself and its own past included.

/// A set of transactions after its forks are resolved: what can be applied, and who knew what.
package struct ResolvedHistory: Sendable {
    package let transactions: [Transaction]
    package let names: BranchNames
    private let knowledge: [[ReplicaID: UInt64]]

    /// Resolves the forks of a set.
    ///
    /// - Parameters:
    ///   - transactions: as they were written, in any order, with duplicates or without.
    ///   - baseline: stands for everything at or below its floor.
    ///   - applied: the chains of those to keep, nil for all. The others tell names alone.
    package init(_ transactions: some Sequence<Transaction>, baseline: Baseline? = nil, applied: Set<Digest128>? = nil) {
        let tree = ForkTree(transactions, baseline: baseline)
        names = tree.names
        var resolved: [(transaction: Transaction, knowledge: [ReplicaID: UInt64])] = []
        for (index, node) in tree.nodes.enumerated() {
            guard let transaction = node.transaction, applied?.contains(node.chain) ?? true else { continue }
            let context = tree.resolvedContext(of: index)
            var knowledge = context.mapValues(\.sequence)
            for entry in context.values {
                guard let branch = tree.names.index(named: entry.origin) else { continue }
                tree.names.coverPast(of: branch, upTo: entry.sequence, in: &knowledge)
            }
            tree.names.coverPast(of: node.branch, upTo: node.sequence, in: &knowledge)
            let named = transaction.named(
                origin: tree.names.branches[node.branch].name, context: context.values.sorted { $0.origin < $1.origin },
                object: { id in
                    ObjectID(
                        replica: tree.resolve(id.replica, id.sequence, asKnownBy: index), sequence: id.sequence,
                        index: id.index)
                },
                stamp: { tree.resolve($0, asKnownBy: index) })
            resolved.append((named, knowledge))
        }
        resolved.sort { a, b in
            let (first, second) = (a.transaction.header, b.transaction.header)
            return first.origin != second.origin ? first.origin < second.origin : first.sequence < second.sequence
        }
        self.transactions = resolved.map(\.transaction)
        knowledge = resolved.map(\.knowledge)
    }

    /// What the writer of the transaction at `index` had applied.
    package func knowledge(of index: Int) -> Knowledge {
        let header = transactions[index].header
        return Knowledge(knowledge[index], origin: header.origin, sequence: header.sequence)
    }
}

extension BranchNames {
    /// Adds the path to a branch: its own sequences and those of the branches it left.
    fileprivate func coverPast(of index: Int, upTo sequence: UInt64, in vector: inout [ReplicaID: UInt64]) {
        var (index, sequence) = (index, sequence)
        while sequence > 0 {
            let branch = branches[index]
            vector[branch.name] = max(sequence, vector[branch.name] ?? 0)
            guard let parent = branch.parent else { return }
            sequence = branch.branch.firstSequence - 1
            index = parent
        }
    }
}
