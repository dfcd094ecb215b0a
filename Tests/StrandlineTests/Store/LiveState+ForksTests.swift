import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

/// Copies of a store that nobody noticed, which all write, and meet again in pieces.
@Suite struct LiveStateForksTests {
    private final class Machine {
        let environment: Environment
        var store: Store
        var before: LogOracle
        /// Since the store was opened.
        var renames = 0

        init(_ environment: Environment) async throws {
            self.environment = environment
            store = try await Machine.open(environment)
            before = try LogOracle(environment)
        }

        static func open(_ environment: Environment) async throws -> Store {
            try await Store.open(
                .environment("/store", environment), Post.self, Attachment.self, ImageData.self,
                options: LiveStateRunsTests.options(memory: 6_000, rest: 500))
        }

        func check() throws {
            let oracle = try LogOracle(environment)
            if oracle.renames(before) { renames += 1 }
            before = oracle
            #expect(try store.digest() == oracle.state.stateDigest.description)
            #expect(store.foldsAnew == renames)
        }

        func reopen() async throws {
            try await store.close()
            store = try await Machine.open(environment)
            renames = 0
            before = try LogOracle(environment)
            #expect(try store.digest() == before.state.stateDigest.description)
        }
    }

    @Test(arguments: 0..<12) func copiesThatWroteAgreeAgain(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let clock = SimulatedClock()
        let disk = SimulatedFileSystem()
        var machines = [try await Machine(.simulated(seed: seed, fileSystem: disk, clock: clock))]
        try await machines[0].store.write { tx in for number in 0..<6 { _ = try tx.insert(Post(title: "common \(number)")) } }
        for step in 0..<70 {
            clock.set(now: clock.now() + 1_000)
            let machine = machines[Int.random(in: machines.indices, using: &random)]
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<2 where machines.count < 5:
                try await machine.reopen()
                try await machine.store.close()
                var other = machine.environment
                other.fileSystem = try #require(other.fileSystem as? SimulatedFileSystem).clone(sameIdentity: true)
                machines.append(try await Machine(other))
                machine.store = try await Machine.open(machine.environment)
            case 2: try await machine.reopen()
            case 3..<12: try await write(step, machine.store, &random)
            default:
                let other = machines[Int.random(in: machines.indices, using: &random)]
                try send(from: other, to: machine, &random)
            }
            try machine.check()
        }
        for _ in 0..<2 {
            for target in machines { for source in machines where source !== target { try send(from: source, to: target) } }
        }
        let digests = try machines.map { try $0.store.digest() }
        #expect(Set(digests).count == 1)
        for machine in machines {
            try machine.check()
            try await machine.reopen()
            #expect(machine.store.foldsAnew == 0)
            #expect(try await machine.store.verifyState().isSound)
            try await machine.store.close()
        }
    }

    private func write(_ step: Int, _ store: Store, _ random: inout SplitMix64) async throws {
        let posts = try store.fetch(Post.all).map(\.id)
        let chosen = posts.randomElement(using: &random)
        let kind = Int.random(in: 0..<5, using: &random)
        try await store.write { tx in
            guard let chosen, kind > 0 else {
                for number in 0..<3 {
                    let post = try tx.insert(Post(title: "\(step).\(number)"))
                    _ = try tx.insert(Attachment(name: "\(step)", post: post.id))
                }
                return
            }
            if kind == 1 {
                try tx.delete(chosen)
            } else if kind == 2 {
                _ = try tx.insert(Attachment(name: "of another", post: chosen))
            } else {
                try tx.update(chosen) { $0.views = step }
            }
        }
    }

    /// Sends what the other has: all of it, or that of one branch up to somewhere.
    private func send(from source: Machine, to target: Machine, _ random: inout SplitMix64) throws {
        guard source !== target else { return }
        let log = try EventLog.open(at: "/store", in: source.environment, mode: .readOnly)
        let names = log.durableState.branches.branches.map(\.root)
        try log.close()
        guard let chosen = names.randomElement(using: &random) else { return }
        let isWhole = random.chance(oneIn: 3)
        let count = Int.random(in: 1...12, using: &random)
        try send(from: source, to: target) { isWhole || ($0 == chosen && $1 < count) }
    }

    private func send(
        from source: Machine, to target: Machine, where isWanted: (BranchRoot, Int) -> Bool = { _, _ in true }
    ) throws {
        let from = try EventLog.open(at: "/store", in: source.environment, mode: .readOnly)
        let to = try EventLog.open(at: "/store", in: target.environment)
        var reader = try LogReader(from, lacking: to.receivedVector)
        var sent: [BranchRoot: Int] = [:]
        while let stored = try reader.next() {
            guard case .parts(let parts) = stored.content, isWanted(stored.branch, sent[stored.branch] ?? 0) else { continue }
            sent[stored.branch, default: 0] += 1
            do throws(LogError) {
                _ = try to.receive(
                    Batch(
                        origin: stored.branch.origin, firstSequence: stored.sequence, previousChain: stored.previousChain,
                        transactions: parts))
            } catch {
                // What precedes it on its branch was not sent.
                guard error.code == .gap else { throw error }
            }
        }
        try to.flush()
        try to.close()
        try from.close()
    }
}
