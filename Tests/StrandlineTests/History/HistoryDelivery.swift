import EventLog
import Simulation
import Storage

/// A random history as a peer would deliver it: in pieces, in any order that keeps each branch in its own.
struct HistoryDelivery {
    private let history: RandomHistory
    private var waiting: [Int]
    private var here: Set<Digest128>

    init(_ history: RandomHistory) {
        self.history = history
        waiting = Array(history.transactions.indices)
        here = Set(history.transactions.filter { $0.header.sequence == 1 }.map(\.header.previousChain))
    }

    var isDone: Bool { waiting.isEmpty }

    /// Delivers some of what a branch goes on with.
    mutating func deliver(to log: EventLog, _ random: inout SplitMix64) throws {
        let due = waiting.filter { here.contains(history.transactions[$0].header.previousChain) }
        guard var next = due.randomElement(using: &random) else { return }
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let chain = history.transactions[next].header.chain
            waiting.removeAll { history.transactions[$0].header.chain == chain }
            here.insert(chain)
            _ = try log.receive(history.batch(next))
            guard let after = waiting.first(where: { history.transactions[$0].header.previousChain == chain }) else { break }
            next = after
        }
        try log.flush()
    }
}
