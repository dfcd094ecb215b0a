import EventLog
import Projection
import Simulation
import Storage

// Invariants
// * `parts[i]` and `chains[i]` are those of the i-th transaction of the history. What precedes a transaction on its branch was written
//   before it.

/// A random history as a peer would deliver it: in pieces, in any order that keeps each branch in its own.
struct HistoryDelivery {
    private struct Item {
        let origin: ReplicaID
        let sequence: UInt64
        let previous: Digest128, chain: Digest128
        let part: PartBytes
    }

    private var waiting: [Item] = []
    private var here: Set<Digest128> = []

    init(_ history: RandomHistory, dataset: DatasetID) throws {
        // Chains are those of the bytes, so what contexts say of them is said anew.
        var chains: [Digest128: Digest128] = [:]
        for transaction in history.transactions {
            let header = transaction.header
            let start = Chain.start(dataset: dataset, origin: header.origin)
            let previous = header.sequence == 1 ? start : chains[header.previousChain] ?? start
            var bytes: [UInt8] = []
            let builder = try TransactionBuilder(
                origin: header.origin, sequence: header.sequence, timestamp: header.timestamp, author: header.author,
                context: header.context.map {
                    ContextEntry(origin: $0.origin, sequence: $0.sequence, chain: chains[$0.chain] ?? $0.chain)
                }, isVoid: header.isVoid
            ) { bytes = $0 }
            for change in transaction.changes { try builder.add(change) }
            _ = try builder.finish()
            let part = PartBytes(bytes)
            let chain = Chain.step(previous, part)
            chains[header.chain] = chain
            here.insert(start)
            waiting.append(
                Item(origin: header.origin, sequence: header.sequence, previous: previous, chain: chain, part: part))
        }
    }

    var isDone: Bool { waiting.isEmpty }

    /// Delivers some of what a branch goes on with.
    mutating func deliver(to log: EventLog, _ random: inout SplitMix64) throws {
        let due = waiting.filter { here.contains($0.previous) }
        guard let first = due.randomElement(using: &random) else { return }
        var last = first
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            waiting.removeAll { $0.chain == last.chain }
            here.insert(last.chain)
            _ = try log.receive(
                Batch(
                    origin: last.origin, firstSequence: last.sequence, previousChain: last.previous,
                    transactions: [last.part]))
            guard let next = waiting.first(where: { $0.previous == last.chain }) else { break }
            last = next
        }
        try log.flush()
    }
}
