import EventLog
import Projection
import Simulation
import Storage
import Strandline

/// A random history, delivered to a store that is trimmed now and then.
struct TrimTrial {
    struct Tally: CustomStringConvertible, Sendable {
        var histories = 0
        var forked = 0
        var trims = 0
        /// Trims that left something of the log.
        var partial = 0
        /// Transactions that came when what they follow was trimmed, and were taken.
        var late = 0
        /// Forks that part below the floor, which nobody can take any more.
        var refused = 0
        var differences: [String] = []

        static func += (a: inout Tally, b: Tally) {
            a.histories += b.histories
            a.forked += b.forked
            a.trims += b.trims
            a.partial += b.partial
            a.late += b.late
            a.refused += b.refused
            a.differences += b.differences
        }

        var description: String {
            "\(histories) (\(forked) forked), trims: \(trims) (\(partial) in part), late transactions: \(late), refused: \(refused)"
        }
    }

    let seed: UInt64
    private let environment: Environment

    init(seed: UInt64) {
        self.seed = seed
        var environment = Environment.inMemory()
        environment.random = SeededRandom(seed: seed)
        self.environment = environment
    }

    private func open() async throws -> Store {
        var options = Store.Options()
        if seed % 2 == 0 {
            options.projection.memory = 2_000
            options.projection.rest = 0
        }
        return try await Store.open(.environment("/store", environment), options: options)
    }

    /// - Parameter forks: whether histories with forks are tried: a few of a thousand still come to another state.
    func run(_ tally: inout Tally, forks: Bool = true) async throws {
        let history = try RandomHistory(seed: seed)
        if !forks, history.met["clones"] != nil { return }
        var random = SplitMix64(seed: seed &+ 77)
        // So small that most histories have several segments.
        let sizes = LogSizes(smallestSegment: 24 << 10, largestSegment: 24 << 10)
        let peer = try EventLog.create(at: "/store", in: environment, dataset: history.dataset, sizes: sizes)
        var store = try await open()
        var waiting = Array(history.transactions.indices)
        var here = Set(history.transactions.filter { $0.header.sequence == 1 }.map(\.header.previousChain))
        var taken: [Transaction] = []
        var tokens: [HistoryToken] = []
        while true {
            let due = waiting.filter { here.contains(history.transactions[$0].header.previousChain) }
            guard let next = due.randomElement(using: &random) else { break }
            waiting.removeAll { $0 == next }
            let transaction = history.transactions[next]
            let floor = try store.floor
            do throws(LogError) {
                _ = try peer.receive(history.batch(next))
                try peer.flush()
            } catch {
                guard error.code == .historyExpired || error.code == .gap else { throw error }
                tally.refused += 1
                continue
            }
            taken.append(transaction)
            here.insert(transaction.header.chain)
            if floor.map({ $0.vector.sequence(of: transaction.header.origin) > 0 }) ?? false { tally.late += 1 }
            if random.chance(oneIn: 4) { tokens.append(store.token) }
            if random.chance(oneIn: 6) { try await trim(store, tokens, &random, &tally) }
            if random.chance(oneIn: 8) { check(store, taken, "after \(taken.count)", &tally) }
            if random.chance(oneIn: 12) {
                try await store.close()
                if random.chance(oneIn: 2) { try environment.fileSystem.removeTree("/store/runs") }
                store = try await open()
            }
        }
        check(store, taken, "at the end", &tally)
        if try await !store.verifyState().isSound { tally.differences.append("seed \(seed): the state is not that of the log") }
        try await store.close()
        try peer.close()
        try environment.fileSystem.removeTree("/store/runs")
        store = try await open()
        check(store, taken, "from the log alone", &tally)
        let found = try await store.verify()
        if !found.isSound { tally.differences.append("seed \(seed): \(found.problems.prefix(3))") }
        try await store.close()
        tally.histories += 1
        if history.met["clones"] != nil { tally.forked += 1 }
    }

    private func trim(
        _ store: Store, _ tokens: [HistoryToken], _ random: inout SplitMix64, _ tally: inout Tally
    ) async throws {
        let isWhole = random.chance(oneIn: 2)
        guard let token = isWhole ? store.token : tokens.randomElement(using: &random) else { return }
        let report: TrimReport
        do {
            report = try await store.trim(before: token, force: true)
        } catch let error as StoreError where error.code == .historyExpired && !isWhole {
            // What the token covers went before, and cannot be told from what it does not cover.
            return
        } catch let error as StoreError where error.code == .unsupportedVersion {
            // Something that this version cannot read lies there.
            return
        }
        guard report.transactions > 0 else { return }
        tally.trims += 1
        var left = 0
        for try await _ in store.history() { left += 1 }
        if left > 0 { tally.partial += 1 }
    }

    private func check(_ store: Store, _ taken: [Transaction], _ when: String, _ tally: inout Tally) {
        let expected = ReferenceFold.fold(taken).stateDigest.description
        do {
            let found = try store.digest()
            if found != expected { tally.differences.append("seed \(seed) \(when): another digest") }
        } catch {
            tally.differences.append("seed \(seed) \(when): \(error)")
        }
    }
}
