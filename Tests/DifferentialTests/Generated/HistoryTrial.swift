import EventLog
import Projection
import Simulation
import Storage
import Strandline

/// A random history on three replicas, delivered to a store of its own in each order of them.
struct HistoryTrial {
    /// Where a store has its objects when it is asked.
    enum Home: CaseIterable {
        /// All in memory.
        case memory
        /// Some in runs, which are written while it goes on reading.
        case runs
        /// In runs, read after it was opened again.
        case reopened
        /// In one run, with what came last in memory.
        case compacted
    }

    /// What some trials came to.
    struct Tally: CustomStringConvertible {
        var histories = 0
        var stores = 0
        var answers = 0
        /// Of them, those of stores with runs.
        var overRuns = 0
        var forked = 0
        var merged = 0
        var hidden = 0
        var differences: [String] = []

        static func += (a: inout Tally, b: Tally) {
            a.histories += b.histories
            a.stores += b.stores
            a.answers += b.answers
            a.overRuns += b.overRuns
            a.forked += b.forked
            a.merged += b.merged
            a.hidden += b.hidden
            a.differences += b.differences
        }

        var description: String {
            "histories: \(histories) (\(forked) with forks, \(merged) with merged keys, \(hidden) with hidden objects); "
                + "stores: \(stores); answers compared: \(answers), \(overRuns) of them over runs"
        }
    }

    private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    let seed: UInt64
    /// Each store is asked one in so many questions; all of a history's stores together, all.
    let shares: Int

    /// Tries seeds until there were so many histories with three replicas.
    static func run(histories count: Int, asking shares: Int) async throws -> Tally {
        // As many as there are cores on a small machine, and some.
        let tasks = 4
        return try await withThrowingTaskGroup(of: Tally.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var tally = Tally()
                    var seed = UInt64(task)
                    while tally.histories < count / tasks {
                        tally += try await HistoryTrial(seed: seed, shares: shares).run()
                        seed += UInt64(tasks)
                    }
                    return tally
                }
            }
            var total = Tally()
            for try await tally in group { total += tally }
            return total
        }
    }

    private func run() async throws -> Tally {
        let history = try RandomHistory(seed: seed, replicas: 3)
        var tally = Tally()
        guard history.replicas.count == 3 else { return tally }
        let answers = try HistoryAnswers(history.transactions)
        tally.histories = 1
        tally.forked = history.met["clones"] == nil ? 0 : 1
        var (isMerged, isHidden) = (false, false)
        answers.state.objects.visit { id, _ in
            if answers.state.members(of: id).count > 1 { isMerged = true }
            if answers.state.isHidden(id) { isHidden = true }
        }
        tally.merged = isMerged ? 1 : 0
        tally.hidden = isHidden ? 1 : 0
        var digests: [Set<Int>: String] = [Set(history.transactions.indices): answers.state.stateDigest.description]
        for (number, order) in Self.orders.enumerated() {
            let home = Home.allCases[(number + Int(seed)) % Home.allCases.count]
            let share = answers.share(number, of: shares)
            try await deliver(history, in: order, to: home, share, &digests, &tally)
        }
        return tally
    }

    /// Gives a store all that each replica in turn has, what is there already once more, and compares what it says.
    private func deliver(
        _ history: RandomHistory, in order: [Int], to home: Home, _ answers: HistoryAnswers,
        _ digests: inout [Set<Int>: String], _ tally: inout Tally
    ) async throws {
        var environment = Environment.inMemory()
        environment.random = SeededRandom(seed: seed)
        // So small that some histories have several segments, and that making and opening a store takes little.
        let sizes = LogSizes(smallestSegment: 1 << 15, largestSegment: 1 << 15)
        let peer = try EventLog.create(at: "/store", in: environment, dataset: history.dataset, sizes: sizes)
        var store = try await open(environment, home)
        var delivered: Set<Int> = []
        let name = "seed \(seed), order \(order), \(home)"
        for replica in order {
            for index in history.replicas[replica].known { _ = try peer.receive(history.batch(index)) }
            try peer.flush()
            delivered.formUnion(history.replicas[replica].known)
            if home == .compacted { try await store.compact() }
            let expected =
                digests[delivered]
                ?? ReferenceFold.fold(delivered.map { history.transactions[$0] }).stateDigest.description
            digests[delivered] = expected
            if try store.digest() != expected { tally.differences.append("\(name): digest after replica \(replica)") }
            guard home == .reopened else { continue }
            try await store.close()
            store = try await open(environment, home)
        }
        tally.differences += try answers.differences(from: store).map { "\(name): \($0)" }
        tally.stores += 1
        tally.answers += answers.count
        let hasRuns = ((try? environment.fileSystem.list("/store/runs")) ?? []).contains { $0.hasSuffix(".run") }
        if hasRuns { tally.overRuns += answers.count }
        try await store.close()
        try peer.close()
    }

    private func open(_ environment: Environment, _ home: Home) async throws -> Store {
        var options = Store.Options()
        if home == .runs || home == .reopened {
            options.projection.memory = 2_000
            options.projection.rest = 0
            options.projection.cache = 1 << 20
        }
        return try await Store.open(.environment("/store", environment), options: options)
    }
}
