import EventLog
import Simulation
import Storage
import Testing

@Suite struct BaselineReceiverTests {
    private let environment = Environment.inMemory()

    /// A log that was trimmed, with some transactions above.
    private func source() throws -> EventLog {
        let log = try EventLog.create(at: "/source", in: environment, sizes: LogScript.sizes)
        try LogTrim.write(10, to: log, size: 3000)
        try LogTrim.trim(log)
        try LogTrim.write(3, to: log)
        return log
    }

    private func target(of source: EventLog, _ path: String = "/target") throws -> EventLog {
        try EventLog.create(at: path, in: environment, dataset: source.dataset, sizes: LogScript.sizes)
    }

    @discardableResult
    private func join(_ file: BaselineFile, to log: EventLog) throws -> Bool {
        var receiver = try BaselineReceiver(log, identity: file.identity, digests: file.bodies.map(\.digest))
        while let number = receiver.next { try receiver.add(number, file.frame(number)) }
        return try receiver.finish()
    }

    private func code(_ body: () throws -> Void) -> LogError.Code? {
        do { try body() } catch { return (error as? LogError)?.code }
        return nil
    }

    @Test func anEmptyStoreGoesOnFromABaseline() throws {
        let source = try source()
        let target = try target(of: source)
        let file = try #require(try source.baselineFiles.first)
        #expect(try join(file, to: target))
        #expect(target.receivedVector == (try source.floorToken(at: source.durableState))?.vector)
        var rest = try LogReader(source, lacking: target.receivedVector)
        while let stored = try rest.next() {
            guard case .parts(let parts) = stored.content else { continue }
            _ = try target.receive(
                Batch(
                    origin: stored.branch.origin, firstSequence: stored.sequence, previousChain: stored.previousChain,
                    transactions: parts))
        }
        try target.flush()
        #expect(target.receivedVector == source.receivedVector)
        #expect(try LogTrim.kept(target) == [1, 2, 3])
        #expect(try target.floor?.baselines == [file.identity])
        #expect(try !join(file, to: target))
        try LogTrim.write(2, to: target)
        // It may be trimmed itself, and gives its own baseline then.
        #expect(try LogTrim.trim(target)?.transactions == 5)
        #expect(try target.floor?.baselines.count == 1 && target.floor?.baselines != [file.identity])
        for each in [source, target] { try each.close() }
        let found = try LogVerifier.check("/target", in: environment)
        #expect(found.baselines == 1)
        #expect(found.notes.isEmpty, "\(found.notes)")
    }

    @Test func ownTransactionsStayAndTheTokensBeforeExpire() throws {
        let source = try source()
        var target = try target(of: source)
        let own = try LogTrim.write(4, to: target)
        #expect(try join(#require(try source.baselineFiles.first), to: target))
        #expect(try LogTrim.kept(target) == [1, 2, 3, 4])
        #expect(code { _ = try LogReader(target, after: own[1]) } == .historyExpired)
        var reader = try LogReader(target, after: target.token)
        #expect(try reader.next() == nil)
        try LogTrim.write(1, to: target)
        let (floor, vector) = (try target.floor, target.receivedVector)
        try target.close()
        target = try EventLog.open(at: "/target", in: environment, sizes: LogScript.sizes)
        #expect(target.recovery.isEmpty)
        #expect(try target.floor == floor)
        #expect(target.receivedVector == vector)
        // Another peer that has the floor gets the rest.
        var lacking = try LogReader(target, lacking: try #require(try source.floorToken(at: source.durableState)).vector)
        var count = 0
        while try lacking.next() != nil { count += 1 }
        #expect(count == 5)
        for each in [source, target] { try each.close() }
        try LogVerifier.check("/target", in: environment)
    }

    @Test func whatWasReceivedIsNotReceivedAgain() throws {
        let source = try EventLog.create(at: "/source", in: environment, sizes: LogScript.sizes)
        try LogTrim.write(3, to: source)
        let point = try #require(try source.trimPoint(before: [source.token.vector]))
        var writer = try source.makeBaseline()
        // Several bodies, for objects without end.
        let objects = (0..<120_000).map { number in
            Baseline.Object(
                id: ObjectID(replica: source.replica, sequence: 1, index: UInt32(number)), entity: "Box",
                created: Timestamp(rawValue: UInt64(number) &* 0x9E37_79B9_7F4A_7C15), length: 1)
        }
        try BaselineWriter.write(Baseline(floor: LogTrim.floor(of: point), objects: objects)) { try writer.append($0) }
        #expect(try source.trim(to: point, writer) != nil)
        let file = try #require(try source.baselineFiles.first)
        let digests = file.bodies.map(\.digest)
        try #require(digests.count > 1)
        var target = try target(of: source)
        var receiver = try BaselineReceiver(target, identity: file.identity, digests: digests)
        #expect(receiver.next == 0)
        #expect(code { try receiver.add(1, file.frame(1)) } == .gap)
        #expect(code { try receiver.add(0, file.frame(1)) } == .invalidTransaction)
        try receiver.add(0, file.frame(0))
        #expect(code { _ = try receiver.finish() } == .gap)
        receiver.pause()
        try target.close()
        target = try EventLog.open(at: "/target", in: environment, sizes: LogScript.sizes)
        receiver = try BaselineReceiver(target, identity: file.identity, digests: digests)
        #expect(receiver.has(0) && receiver.next == 1)
        for number in 0..<digests.count { try receiver.add(number, file.frame(number)) }
        #expect(try receiver.finish())
        #expect(try target.floor?.baselines == [file.identity])
        #expect(
            code { _ = try BaselineReceiver(target, identity: file.identity, digests: [digests[0]]) } == .invalidTransaction)
        for each in [source, target] { try each.close() }
        try LogVerifier.check("/target", in: environment)
    }

    /// What a baseline knows more of this store than the store itself: its machine was set back, and nothing else shows it.
    @Test func aStoreThatWasSetBackTakesAnotherId() throws {
        let disk = SimulatedFileSystem()
        func world(_ disk: SimulatedFileSystem) -> Environment { .simulated(seed: 1, fileSystem: disk) }
        let source = try EventLog.create(at: "/source", in: world(disk), sizes: LogScript.sizes)
        var target = try EventLog.create(at: "/target", in: world(disk), dataset: source.dataset, sizes: LogScript.sizes)
        try LogTrim.write(2, to: target)
        try target.close()
        let earlier = disk.clone(sameIdentity: true)
        target = try EventLog.open(at: "/target", in: world(disk), sizes: LogScript.sizes)
        try LogTrim.write(2, to: target)
        for batch in try LogTrim.batches(target) { _ = try source.receive(batch) }
        try source.flush()
        try LogTrim.trim(source)
        let behind = try EventLog.open(at: "/target", in: world(earlier), sizes: LogScript.sizes)
        #expect(behind.replica == target.replica)
        try join(#require(try source.baselineFiles.first), to: behind)
        #expect(behind.replica != target.replica)
        #expect(behind.receivedVector.sequence(of: target.replica) == 4)
        try LogTrim.write(1, to: behind)
        for each in [source, target, behind] { try each.close() }
        try LogVerifier.check("/target", in: world(earlier))
    }

    @Test func aClockThatIsFarAheadIsWaitedFor() throws {
        let clock = SimulatedClock()
        let simulated = Environment.simulated(seed: 1, clock: clock)
        let source = try EventLog.create(at: "/source", in: simulated, sizes: LogScript.sizes)
        clock.set(now: clock.now() + 500_000)
        try LogTrim.write(3, to: source)
        let point = try #require(try source.trimPoint(before: [source.token.vector]))
        var writer = try source.makeBaseline()
        var floor = LogTrim.floor(of: point)
        floor[0].timestamp = source.durableState.branches.branches[0].lastTimestamp
        for body in try LogTrim.bodies(of: floor) { try writer.append(body) }
        _ = try source.trim(to: point, writer)
        let file = try #require(try source.baselineFiles.first)
        clock.set(now: clock.now() - 500_000)
        let target = try EventLog.create(at: "/target", in: simulated, dataset: source.dataset, sizes: LogScript.sizes)
        #expect(code { try join(file, to: target) } == .invalidTransaction)
        clock.set(now: clock.now() + 450_000)
        #expect(try join(file, to: target))
        for each in [source, target] { try each.close() }
    }

    /// Branches of an origin that forked are laid out from the chains that the baseline tells.
    @Test func forksAreLaidOut() throws {
        var dice = Dice(5)
        var (forked, refused) = (0, 0)
        for round in 0..<60 {
            let simulated = Environment.simulated(seed: UInt64(round))
            let source = try EventLog.create(at: "/source", in: simulated, sizes: LogScript.sizes)
            let tree = ForkTree(transactions: 14, dataset: source.dataset, now: simulated.clock.now(), dice: &dice)
            let order = tree.order(&dice)
            let target = try EventLog.create(at: "/target", in: simulated, dataset: source.dataset, sizes: LogScript.sizes)
            let shared = dice.below(10)
            for (number, node) in order.enumerated() {
                let batch = tree.batch(to: node, count: 1)
                if number < 12 { _ = try source.receive(batch) }
                if number < shared { _ = try target.receive(batch) }
            }
            try source.flush()
            try target.flush()
            #expect(try LogTrim.trim(source) != nil)
            if source.durableState.branches.hasForks { forked += 1 }
            let file = try #require(try source.baselineFiles.first)
            do { _ = try join(file, to: target) } catch let error as LogError {
                // The baseline knows of no fork, so it does not tell where this log parts from it.
                #expect(error.code == .forked)
                refused += 1
                for each in [source, target] { try each.close() }
                continue
            }
            #expect(target.receivedVector == source.receivedVector, "round \(round)")
            var isAlike = true
            for node in order[12...] {
                var refusals = 0
                for log in [source, target] {
                    // What parts below the floor cannot be told, unless it parts where branches are known to part or end.
                    do throws(LogError) { _ = try log.receive(tree.batch(to: node, count: 1)) } catch {
                        #expect(error.code == .historyExpired || error.code == .gap)
                        refusals += 1
                    }
                }
                if refusals == 1 { isAlike = false }
            }
            try source.flush()
            try target.flush()
            #expect(!isAlike || target.receivedVector == source.receivedVector, "round \(round)")
            for each in [source, target] { try each.close() }
            try LogVerifier.check("/target", in: simulated, "round \(round)")
            try LogVerifier.check("/source", in: simulated, "round \(round)")
        }
        #expect(forked > 20 && refused < 20)
    }
}
