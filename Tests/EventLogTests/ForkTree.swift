import EventLog
import Storage

/// A random tree of transactions that all claim one origin, and what SPEC.md, section 5.8, calls its branches.
struct ForkTree {
    struct Node {
        let parent: Int?
        let sequence: UInt64
        let chain: Digest128
        let part: PartBytes
    }

    let origin: ReplicaID
    /// Number 0 stands for the beginning and is no transaction.
    private(set) var nodes: [Node]

    init(transactions: Int, dataset: DatasetID, now: UInt64, dice: inout Dice) {
        origin = ReplicaID(dice.digest())
        nodes = [Node(parent: nil, sequence: 0, chain: Chain.start(dataset: dataset, origin: origin), part: PartBytes([]))]
        for number in 1...transactions {
            // Mostly on, sometimes from anywhere before.
            let parent = dice.chance(65) ? number - 1 : dice.below(number)
            let sequence = nodes[parent].sequence + 1
            let header = TransactionHeader(
                origin: origin, sequence: sequence, timestamp: Timestamp(milliseconds: now + sequence), author: "\(number)")
            let part = PartBytes(TestPart.bytes(header))
            nodes.append(Node(parent: parent, sequence: sequence, chain: Chain.step(nodes[parent].chain, part), part: part))
        }
    }

    /// An order in which every transaction comes after its parent.
    func order(_ dice: inout Dice) -> [Int] {
        var waiting = Array(1..<nodes.count)
        var delivered: Set<Int> = [0]
        var order: [Int] = []
        while !waiting.isEmpty {
            let ready = waiting.filter { delivered.contains(nodes[$0].parent ?? 0) }
            let next = dice.pick(ready)
            order.append(next)
            delivered.insert(next)
            waiting.removeAll { $0 == next }
        }
        return order
    }

    /// The transactions from the first to a node, the last `count` of them.
    func batch(to node: Int, count: Int) -> Batch {
        var path: [Int] = []
        var at = node
        while path.count < count, let parent = nodes[at].parent {
            path.append(at)
            at = parent
        }
        return Batch(
            origin: origin, firstSequence: nodes[at].sequence + 1, previousChain: nodes[at].chain,
            transactions: path.reversed().map { nodes[$0].part })
    }

    /// What every transaction's origin is called, by its chain.
    var names: [Digest128: ReplicaID] {
        var names: [Int: ReplicaID] = [0: origin]
        // Children have higher numbers than their parents.
        for parent in nodes.indices {
            guard let name = names[parent] else { continue }
            let children = nodes.indices.filter { nodes[$0].parent == parent }
            let keeper = children.min { nodes[$0].chain < nodes[$1].chain }
            for child in children {
                names[child] =
                    child == keeper
                    ? name : ForkName.derive(from: name, sequence: nodes[child].sequence, chain: nodes[child].chain)
            }
        }
        return Dictionary(uniqueKeysWithValues: names.map { (nodes[$0.key].chain, $0.value) })
    }

    /// Where the branches end.
    var tips: [ReplicaID: BranchPosition] {
        let names = names
        let parents = Set(nodes.compactMap(\.parent))
        return Dictionary(
            uniqueKeysWithValues: nodes.indices.filter { !parents.contains($0) }.map {
                (names[nodes[$0].chain] ?? origin, BranchPosition(sequence: nodes[$0].sequence, chain: nodes[$0].chain))
            })
    }
}
