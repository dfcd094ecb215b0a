import EventLog
import Projection
import Simulation
import Storage
import Strandline
import Testing

/// Stores that receive random histories, forks and all, piece by piece, with so little memory that they go to runs all the time.
@Suite struct NamedHistoryTests {
    private struct Moment {
        let token: HistoryToken
        let chains: Set<Digest128>
    }

    private func options() -> Store.Options {
        var options = Store.Options()
        options.projection.memory = 3_000
        options.projection.rest = 500
        options.projection.cache = 1 << 20
        return options
    }

    private func open(_ environment: Environment) async throws -> Store {
        try await Store.open(.environment("/store", environment), options: options())
    }

    @Test(arguments: 0..<24) func whateverComesTheStateIsTheDefinitions(seed: UInt64) async throws {
        let environment = Environment.simulated(seed: seed)
        var random = SplitMix64(seed: seed &* 77)
        var store = try await open(environment)
        var delivery = HistoryDelivery(try RandomHistory(seed: seed, steps: 60, dataset: store.dataset))
        let peer = try EventLog.open(at: "/store", in: environment)
        var before = try LogOracle(environment)
        var moments: [Moment] = []
        var renames = 0
        while !delivery.isDone {
            try delivery.deliver(to: peer, &random)
            let oracle = try LogOracle(environment)
            if oracle.renames(before) { renames += 1 }
            before = oracle
            #expect(try store.digest() == oracle.state.stateDigest.description)
            #expect(store.foldsAnew == renames)
            moments.append(Moment(token: store.token, chains: oracle.applied))
            if random.chance(oneIn: 6) { try await check(store, oracle, moments.randomElement(using: &random)) }
            if random.chance(oneIn: 8) {
                try await store.close()
                store = try await open(environment)
                renames = 0
                #expect(try store.digest() == oracle.state.stateDigest.description)
                #expect(store.foldsAnew == 0)
            }
        }
        for moment in moments { try await check(store, before, moment) }
        #expect(try store.contentDigest() == before.state.contentDigest.description)
        #expect(try await store.verifyState().isSound)
        try await store.close()
        try peer.close()
        #expect(try environment.fileSystem.list("/store/tmp") == [])
    }

    /// Time travel, conflicts and history, as of now and since some moment.
    private func check(_ store: Store, _ oracle: LogOracle, _ moment: Moment?) async throws {
        guard let moment else { return }
        let past = try await store.snapshot(at: moment.token)
        let expected = oracle.state(of: moment.chains)
        #expect(try past.digest() == expected.stateDigest.description)
        #expect(try past.contentDigest() == expected.contentDigest.description)
        for entity in past.schema() {
            let rows = try past.rows(of: entity.name)
            #expect(rows.allSatisfy { $0 == expected.row($0.id) })
            #expect(try past.count(of: entity.name) == rows.count)
        }
        let vector = oracle.vector(of: moment.chains)
        #expect(try await store.conflicts(since: moment.token) == oracle.resolved.conflicts(since: vector))
        #expect(try await store.conflicts() == oracle.resolved.conflicts())

        let wanted = oracle.resolved.transactions.filter { $0.header.sequence > vector[$0.header.origin] ?? 0 }
        var found: [Transaction] = []
        for try await transaction in store.history(after: moment.token) { found.append(transaction) }
        if oracle.isForked {
            #expect(found.count == wanted.count && Set(found) == Set(wanted))
        } else {
            #expect(Set(found.map(\.changes)) == Set(wanted.map(\.changes)))
        }
    }

    @Test(arguments: 0..<12) func undoIsTheDefinitions(seed: UInt64) async throws {
        let environment = Environment.simulated(seed: seed)
        var random = SplitMix64(seed: seed)
        let store = try await open(environment)
        var delivery = HistoryDelivery(try RandomHistory(seed: seed &+ 500, steps: 50, dataset: store.dataset))
        let peer = try EventLog.open(at: "/store", in: environment)
        while !delivery.isDone { try delivery.deliver(to: peer, &random) }
        for _ in 0..<12 {
            let oracle = try LogOracle(environment)
            guard let chosen = oracle.resolved.transactions.randomElement(using: &random) else { return }
            let objects = Set(oracle.state.planUndo(chosen).leftovers.filter { $0.reason != .denied }.map(\.object))
            var chains = UndoChains(of: objects)
            for transaction in oracle.resolved.transactions {
                for change in transaction.changes { chains.note(change, stamp: transaction.header.stamp) }
                chains.note(transaction.header)
            }
            let plan = oracle.state.planUndo(chosen, chains)
            do {
                let receipt = try await store.undo(chosen.header.origin, chosen.header.sequence)
                let left = receipt.value.leftovers.map { "\($0.object) \($0.property?.name ?? "") \($0.reason)" }
                #expect(left == plan.leftovers.map { "\($0.object) \($0.property?.name ?? "") \($0.reason)" })
                let last = try LogOracle(environment).resolved.transactions.last { $0.header.origin == store.replica }
                // A write leaves one-to-one relationships whole besides.
                #expect(plan.changes.isEmpty || Set(last?.changes ?? []).isSuperset(of: plan.changes))
            } catch let error as StoreError {
                #expect(error.code == .duplicateKey)
            }
        }
        await #expect(throws: StoreError.self) { try await store.undo(store.replica, 1_000) }
        try await store.close()
        try peer.close()
    }
}
