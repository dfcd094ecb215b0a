import EventLog
import Projection
import Simulation
import Storage
import Strandline
import Testing

/// Baselines that go from one store to another, with what follows them.
@Suite struct LiveStateBaselinesTests {
    struct Tally: CustomStringConvertible {
        var joined = 0
        var refused = 0
        var own = 0
        var covered = 0
        var parted = 0

        var description: String {
            "joined: \(joined), refused: \(refused), with own edits: \(own), nothing new: \(covered), parted: \(parted)"
        }
    }

    /// Gives a log what another has and it lacks: baselines first where it must.
    ///
    /// - Returns: false where the two cannot be brought together any more.
    private func send(from source: EventLog, to target: EventLog, _ tally: inout Tally) throws -> Bool {
        var having: Set<Digest128> = []
        for file in try source.baselineFiles {
            do throws(LogError) {
                _ = try LogReader(source, lacking: target.receivedVector)
                break
            } catch {
                guard error.code == .historyExpired else { throw error }
            }
            var receiver = try BaselineReceiver(target, identity: file.identity, digests: file.bodies.map(\.digest))
            while let number = receiver.next { try receiver.add(number, file.frame(number)) }
            do throws(LogError) {
                if try receiver.finish() { tally.joined += 1 } else { tally.covered += 1 }
            } catch {
                guard error.code == .forked else { throw error }
                tally.refused += 1
                return false
            }
            having.insert(file.identity)
        }
        var reader = try LogReader(source, lacking: target.receivedVector, having: having)
        while let stored = try reader.next() {
            guard case .parts(let parts) = stored.content else { continue }
            do throws(LogError) {
                _ = try target.receive(
                    Batch(
                        origin: stored.branch.origin, firstSequence: stored.sequence, previousChain: stored.previousChain,
                        transactions: parts))
            } catch {
                guard error.code == .historyExpired || error.code == .gap else { throw error }
                tally.refused += 1
                return false
            }
        }
        try target.flush()
        return true
    }

    /// Whether an origin goes on in two ways of which one store has not seen both: below a floor nobody can tell them apart yet.
    private func isParted(_ history: RandomHistory, _ a: Set<Int>, _ b: Set<Int>) -> Bool {
        struct Place: Hashable {
            let origin: ReplicaID
            let sequence: UInt64
        }
        var ways: [Place: [Int]] = [:]
        for index in a.union(b) {
            let header = history.transactions[index].header
            ways[Place(origin: header.origin, sequence: header.sequence), default: []].append(index)
        }
        return ways.values.contains { $0.count > 1 && !($0.allSatisfy(a.contains) && $0.allSatisfy(b.contains)) }
    }

    private func trial(_ seed: UInt64, _ tally: inout Tally, steps: Int = 40) async throws {
        let history = try RandomHistory(seed: seed, steps: steps)
        var random = SplitMix64(seed: seed &+ 5)
        var environment = Environment.inMemory()
        environment.random = SeededRandom(seed: seed)
        let sizes = LogSizes(smallestSegment: 24 << 10, largestSegment: 24 << 10)
        var stores: [(log: EventLog, store: Store, taken: Set<Int>)] = []
        for number in 0..<2 {
            let log = try EventLog.create(at: "/\(number)", in: environment, dataset: history.dataset, sizes: sizes)
            var options = Store.Options()
            if seed % 2 == 0 {
                options.projection.memory = 2_000
                options.projection.rest = 0
            }
            stores.append((log, try await Store.open(.environment("/\(number)", environment), options: options), []))
        }
        // Each has what one replica of the history had, of that some; so each has something that the other lacks.
        for number in 0..<2 {
            var known = history.replicas[number].known.sorted()
            if number == 1, random.chance(oneIn: 4) { known = [] }
            for index in known {
                do throws(LogError) { _ = try stores[number].log.receive(history.batch(index)) } catch {
                    // A fork that parts below the floor, and what follows it.
                    guard error.code == .historyExpired || error.code == .gap else { throw error }
                    continue
                }
                stores[number].taken.insert(index)
                guard random.chance(oneIn: 9) else { continue }
                try stores[number].log.flush()
                if number == 0 || random.chance(oneIn: 3) {
                    _ = try await stores[number].store.trim(before: stores[number].store.token, force: true)
                }
            }
            try stores[number].log.flush()
        }
        _ = try await stores[0].store.trim(before: stores[0].store.token, force: true)
        if !stores[1].taken.isSubset(of: stores[0].taken) { tally.own += 1 }
        let isWhole =
            try send(from: stores[0].log, to: stores[1].log, &tally) && send(from: stores[1].log, to: stores[0].log, &tally)
        if isParted(history, stores[0].taken, stores[1].taken) {
            // Where an origin that was trimmed here goes on otherwise there, nobody can tell.
            tally.parted += 1
        } else if isWhole {
            let all = stores[0].taken.union(stores[1].taken).map { history.transactions[$0] }
            let expected = ReferenceFold.fold(all).stateDigest.description
            for (number, each) in stores.enumerated() {
                #expect(try each.store.digest() == expected, "seed \(seed), store \(number)")
                #expect(try await each.store.verifyState().isSound, "seed \(seed), store \(number)")
                // What both have may go.
                _ = try await each.store.trim(before: each.store.token, force: true)
                #expect(try each.store.digest() == expected, "seed \(seed), store \(number), trimmed")
            }
        }
        for (number, each) in stores.enumerated() {
            let digest = try each.store.digest()
            try await each.store.close()
            try each.log.close()
            try environment.fileSystem.removeTree("/\(number)/runs")
            let again = try await Store.open(.environment("/\(number)", environment))
            #expect(try again.digest() == digest, "seed \(seed), store \(number), from the log alone")
            #expect(try await again.verify().isSound)
            try await again.close()
        }
    }

    @Test func bothMeanTheSameAfterwards() async throws {
        var tally = Tally()
        for seed in 0..<40 { try await trial(UInt64(seed), &tally) }
        print("baselines exchanged: \(tally)")
        #expect(tally.joined > 15 && tally.own > 10)
    }
}
