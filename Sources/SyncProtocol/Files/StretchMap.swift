// Invariants
// * Every node of `nodes` is a position on the path to the branch it stands for, so a stretch that ends in one is known whole.
// * `nodes` is closed: where a known stretch begins is a node too.

import EventLog
import Storage

/// Tells by their names alone which of many stretches a log has already.
///
/// A chain proves all before it. So a stretch whose end the log knows is known, and so is the place where it begins, where another may
/// end. What these steps do not reach needs a look into the log.
struct StretchMap {
    private struct Node: Hashable {
        var origin: ReplicaID
        var position: BranchPosition
    }

    let table: BranchTable
    private var nodes: [Node: Int] = [:]
    /// Stretches not known so far, by the node in which they end.
    private var waiting: [Node: [ExchangeEntry]] = [:]
    /// Those whose end the log has.
    private(set) var known: [ExchangeEntry] = []
    /// The last sequence that any branch of an origin has.
    private(set) var reached: [ReplicaID: UInt64] = [:]

    init(_ entries: [ExchangeEntry], table: BranchTable) {
        self.table = table
        for entry in entries {
            waiting[Node(origin: entry.stretch.origin, position: entry.stretch.end), default: []].append(entry)
        }
        for (number, branch) in table.branches.enumerated() {
            let origin = branch.root.origin
            reached[origin] = max(reached[origin] ?? 0, branch.last.sequence)
            settle(origin, branch.last, on: number)
            if branch.root.chain != .zero {
                settle(origin, BranchPosition(sequence: branch.root.firstSequence, chain: branch.root.chain), on: number)
            }
        }
    }

    /// What is not known, in an order in which it can be taken.
    var unknown: [ExchangeEntry] {
        waiting.values.flatMap(\.self).sorted { a, b in
            (a.stretch.origin, a.stretch.first, b.stretch.last, a.stretch.after, a.path)
                < (b.stretch.origin, b.stretch.first, a.stretch.last, b.stretch.after, b.path)
        }
    }

    /// Of those, the ends that the log may have, the furthest first: one known end makes others known.
    var doubtful: [(origin: ReplicaID, position: BranchPosition)] {
        waiting.keys.filter { $0.position.sequence <= reached[$0.origin] ?? 0 }
            .sorted { a, b in
                (a.origin, b.position.sequence, a.position.chain) < (b.origin, a.position.sequence, b.position.chain)
            }
            .map { ($0.origin, $0.position) }
    }

    func isDoubtful(_ origin: ReplicaID, _ position: BranchPosition) -> Bool {
        waiting[Node(origin: origin, position: position)] != nil
    }

    /// Notes that the log has a position of an origin, on the path to a branch.
    mutating func settle(_ origin: ReplicaID, _ position: BranchPosition, on branch: Int) {
        var open = [(position, branch)]
        while let (position, branch) = open.popLast() {
            let node = Node(origin: origin, position: position)
            guard nodes[node] == nil else { continue }
            nodes[node] = branch
            guard let found = waiting.removeValue(forKey: node) else { continue }
            known += found
            for entry in found { open.append((entry.stretch.start, branch)) }
        }
    }

    /// Where a known stretch ends: on which branch, and with which transaction.
    func place(of stretch: Stretch) -> (branch: BranchRoot, sequence: UInt64)? {
        guard let number = nodes[Node(origin: stretch.origin, position: stretch.end)] else { return nil }
        return (table.branches[table.holder(of: stretch.last, towards: number)].root, stretch.last)
    }

    /// What the known stretches cover of the log, those without their blobs left out on demand.
    func coverage(lacking: Bool) -> TransactionRanges {
        var ranges = TransactionRanges()
        for entry in known where lacking || !entry.isLacking {
            let stretch = entry.stretch
            guard var number = nodes[Node(origin: stretch.origin, position: stretch.end)] else { continue }
            // The end may lie before the branch begins, on the way to it.
            while true {
                let branch = table.branches[number]
                let (first, last) = (max(stretch.first, branch.root.firstSequence), min(stretch.last, branch.last.sequence))
                if first <= last { ranges.insert(first...last, of: branch.root) }
                guard stretch.first < branch.root.firstSequence, let parent = branch.parent else { break }
                number = parent
            }
        }
        return ranges
    }
}
