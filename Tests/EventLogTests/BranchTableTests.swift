import EventLog
import Simulation
import Storage
import Testing

/// Forks: the same branches under the same names, whatever came first, in memory, in the log, and after reopening it.
@Suite struct BranchTableTests {
    private static let sizes = LogSizes(smallestSegment: 24 << 10, largestSegment: 24 << 10)

    private func receive(_ tree: ForkTree, order: [Int], into log: EventLog, _ dice: inout Dice) throws {
        for node in order {
            let length = Int(tree.nodes[node].sequence)
            let batch = tree.batch(to: node, count: dice.chance(40) ? 1 + dice.below(length) : 1)
            let result = try log.receive(batch)
            guard result.new >= 1 else { throw LogVerifier.Wrong(description: "transaction \(node) was not taken") }
            if dice.chance(50) { try log.flush() }
            // What is known is known, whichever way it comes.
            if dice.chance(30) {
                let again = try log.receive(tree.batch(to: node, count: length))
                guard again.new == 0, again.known == length else {
                    throw LogVerifier.Wrong(description: "transaction \(node) was taken twice: \(again)")
                }
            }
        }
        try log.flush()
    }

    private func check(_ log: EventLog, _ tree: ForkTree) throws {
        let table = log.durableState.branches
        let positions = table.positions(applied: true).filter { $0.name != log.replica }
        #expect(Dictionary(uniqueKeysWithValues: positions.map { ($0.name, $0.position) }) == tree.tips)
        var reader = try LogReader(log)
        var count = 0
        while let transaction = try reader.next() {
            let number = try #require(table.number(of: transaction.branch))
            #expect(table.branches[number].name == tree.names[transaction.chain])
            count += 1
        }
        #expect(count == tree.nodes.count - 1)
    }

    @Test(arguments: 0..<24) func namesDoNotDependOnTheOrderOfArrival(_ seed: Int) throws {
        var dice = Dice(UInt64(seed))
        let clock = SimulatedClock()
        let dataset = DatasetID(dice.digest())
        let tree = ForkTree(transactions: 3 + dice.below(18), dataset: dataset, now: clock.now() - 1000, dice: &dice)
        for run in 0..<3 {
            let environment = Environment.simulated(seed: UInt64(seed * 10 + run), clock: clock)
            let log = try EventLog.create(at: "/store", in: environment, dataset: dataset, sizes: Self.sizes)
            try receive(tree, order: tree.order(&dice), into: log, &dice)
            try check(log, tree)
            try log.close()
            let reopened = try EventLog.open(at: "/store", in: environment)
            #expect(reopened.recovery.isEmpty)
            try check(reopened, tree)
            try reopened.close()
        }
    }

    /// After any delivery a context names each branch once, ascending, and what it said before of a name still holds or is said anew.
    @Test(arguments: 0..<24) func contextsSayWhatEachNameMeans(_ seed: Int) throws {
        var dice = Dice(UInt64(seed))
        let clock = SimulatedClock()
        let environment = Environment.simulated(seed: UInt64(seed), clock: clock)
        let log = try EventLog.create(at: "/store", in: environment, sizes: Self.sizes)
        let tree = ForkTree(transactions: 4 + dice.below(16), dataset: log.dataset, now: clock.now() - 1000, dice: &dice)
        var known: [ReplicaID: BranchPosition] = [:]
        var announced = 0
        for node in tree.order(&dice) {
            _ = try log.receive(tree.batch(to: node, count: 1))
            if dice.chance(40) { try log.flush() }
            guard dice.chance(60) else { continue }
            let transaction = try log.begin()
            let context = transaction.header.context
            #expect(zip(context, context.dropFirst()).allSatisfy { $0.origin < $1.origin })
            for entry in context {
                let position = BranchPosition(sequence: entry.sequence, chain: entry.chain)
                #expect(known.updateValue(position, forKey: entry.origin) != position || log.durableState.branches.hasForks)
            }
            announced += context.count
            try transaction.add(part: TestPart.bytes(transaction.header))
            _ = try log.finish(transaction)
            try log.flush()
            let vector = log.durableState.branches.positions(applied: true).filter { $0.name != log.replica }
            for (name, position) in vector { #expect(known[name] == position) }
        }
        #expect(announced > 0)
        try log.close()
    }

    @Test func anUnknownBeginningIsAGap() throws {
        var dice = Dice(1)
        let environment = Environment.simulated(seed: 1)
        let log = try EventLog.create(at: "/store", in: environment)
        let tree = ForkTree(transactions: 6, dataset: log.dataset, now: 1000, dice: &dice)
        let last = try #require(tree.nodes.indices.last { tree.nodes[$0].sequence > 1 })
        let error = #expect(throws: LogError.self) { try log.receive(tree.batch(to: last, count: 1)) }
        #expect(error?.code == .gap)
        // The lock was given back.
        let other = try EventLog.open(at: "/store", in: environment)
        _ = try other.receive(tree.batch(to: last, count: 100))
        try other.flush()
        try other.close()
        try log.close()
    }

    @Test(arguments: [false, true]) func somebodyElseUnderOurIdMakesUsTakeAnother(_ inParts: Bool) throws {
        let (disk, script) = try LogScript.initial()
        let twin = disk.clone(sameIdentity: true)
        var (environment, other) = (
            Environment.simulated(seed: 1, fileSystem: disk), Environment.simulated(seed: 1, fileSystem: twin)
        )
        // Not the dice that made the first id, which could fall as they did then.
        (environment.random, other.random) = (SeededRandom(seed: 7), SeededRandom(seed: 8))
        let left = try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
        let right = try EventLog.open(at: LogScript.path, in: other, sizes: LogScript.sizes)
        #expect(left.replica == right.replica)
        try script.commit([[10]], to: left)
        let replica = left.replica
        try LogScript().commit([[20]], to: right)
        var reader = try LogReader(right)
        while let transaction = try reader.next() {
            guard transaction.branch.origin == replica, case .parts(let parts) = transaction.content else { continue }
            guard inParts else {
                _ = try left.receive(
                    Batch(
                        origin: replica, firstSequence: transaction.sequence, previousChain: transaction.previousChain,
                        transactions: parts))
                continue
            }
            let body = PartBody(
                origin: replica, sequence: transaction.sequence, number: 0, isLast: true,
                previousChain: transaction.previousChain, chain: transaction.chain, part: parts[0])
            _ = try left.finishReceiving(try left.beginReceiving(body), chain: transaction.chain)
        }
        try left.flush()
        #expect(left.replica != replica)
        try script.commit([[30]], to: left)
        #expect(script.acknowledged.last?.origin == left.replica && script.acknowledged.last?.sequence == 1)
        try script.check(left)
        try LogVerifier.close(left, at: LogScript.path, in: environment)
    }

    /// A transaction from the future is kept and neither applied nor let near the clock, even after reopening it with the clock set back.
    @Test(arguments: [UInt64(61_000), 1 << 47]) func aHoldSurvivesReopening(_ ahead: UInt64) throws {
        let clock = SimulatedClock()
        let environment = Environment.simulated(seed: 1, clock: clock)
        var log = try EventLog.create(at: "/store", in: environment)
        let origin = ReplicaID(Digest128(high: 7, low: 7))
        let start = Chain.start(dataset: log.dataset, origin: origin)
        let parts = [(1, clock.now() + 59_000), (2, clock.now() + ahead), (3, clock.now() + ahead + 1)].map { sequence, time in
            PartBytes(
                TestPart.bytes(TransactionHeader(origin: origin, sequence: sequence, timestamp: Timestamp(milliseconds: time))))
        }
        let result = try log.receive(Batch(origin: origin, firstSequence: 1, previousChain: start, transactions: parts))
        #expect(result.new == 3 && result.held == 2)
        try log.flush()
        let now = clock.now()
        for set in [now, now - 3_600_000] {
            clock.set(now: set)
            try log.close()
            log = try EventLog.open(at: "/store", in: environment)
            let table = log.durableState.branches
            let sequences = [true, false].map { applied in
                table.positions(applied: applied).filter { $0.name == origin }.map(\.position.sequence)
            }
            #expect(sequences == [[1], [3]])
            let transaction = try log.begin()
            #expect(transaction.header.timestamp.milliseconds <= now + 60_000)
            try log.abandon(transaction)
        }
        try log.close()
    }
}
