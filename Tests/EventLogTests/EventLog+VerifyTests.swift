import EventLog
import Simulation
import Storage
import Testing

/// What verifying says of stores of every kind.
@Suite struct EventLogVerifyTests {
    private func scripted() throws -> (disk: SimulatedFileSystem, environment: Environment) {
        let (disk, script) = try LogScript.initial()
        try script.run(on: disk)
        return (disk, Environment.simulated(seed: 1, fileSystem: disk))
    }

    @Test func aHealthyStoreHasNoProblemsAndIsCounted() throws {
        let (_, environment) = try scripted()
        var last: (done: UInt64, total: UInt64) = (0, 0)
        let log = try EventLog.open(at: LogScript.path, in: environment, mode: .readOnly, sizes: LogScript.sizes)
        let found = try log.verify { last = ($0, $1) }
        #expect(found.isSound && found.noteCount == 0, "\(found.problems) \(found.notes)")
        #expect(found.transactions == 16 && found.lastLSN == 16)
        #expect(found.segments > 3 && found.stages == 1 && found.frames > found.segments)
        #expect(last.done == last.total && last.total > 0 && found.bytes <= last.total)
    }

    @Test func whatIsNoStoreIsRefused() throws {
        let environment = Environment.inMemory()
        #expect { try EventLog.verify(at: "/none", in: environment) } throws: { ($0 as? LogError)?.code == .notFound }
        try environment.fileSystem.createDirectory("/empty")
        #expect { try EventLog.verify(at: "/empty", in: environment) } throws: { ($0 as? LogError)?.code == .notAStore }
    }

    @Test func itCanBeStopped() throws {
        struct Stop: Error {}
        let (_, environment) = try scripted()
        #expect(throws: Stop.self) { try EventLog.verify(at: LogScript.path, in: environment) { _, _ in throw Stop() } }
    }

    @Test func aStoreThatWasKilledIsSoundBeforeAndAfterRecovery() throws {
        let (disk, script) = try LogScript.initial()
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let log = try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
        try script.commit([[300], [20]], to: log)
        // Open, with a transaction in hand, and one that is pending.
        let pending = try log.begin(author: "pending")
        try pending.add(part: TestPart.bytes(pending.header))
        _ = try log.finish(pending)
        #expect(try log.verify().transactions == 3)
        disk.killProcess()
        let rebooted = environment.rebooted(fileSystem: disk.crash(keeping: .none), seed: 2)
        let found = try LogVerifier.check(LogScript.path, in: rebooted)
        #expect(found.notes.map(\.what) == ["the store was not closed"])
        let after = try EventLog.open(at: LogScript.path, in: rebooted, sizes: LogScript.sizes)
        try script.check(after)
        try LogVerifier.close(after, at: LogScript.path, in: rebooted)
    }

    @Test func severalDamagesAreAllFoundAndNamed() throws {
        let (disk, environment) = try scripted()
        let segments = try disk.list(LogScript.path + "/log").map { "\(LogScript.path)/log/\($0)" }
        let stage = try disk.list(LogScript.path + "/staged").map { "\(LogScript.path)/staged/\($0)" }[0]
        func damage(_ path: String, at offset: UInt64) throws {
            let file = try disk.open(path, .readWrite)
            let byte = try file.bytes(at: offset, count: 1)[0]
            try file.write([byte ^ 4].span, at: offset)
        }
        try damage(segments[0], at: 16_384 + 70)
        try damage(segments[1], at: 16_384 + 8)
        try damage(segments[2], at: 100)
        try damage(stage, at: 5000)
        try disk.remove(segments[3])
        try disk.open(LogScript.path + "/log/notes.txt", .create).close()
        #expect(throws: LogError.self) { try EventLog.open(at: LogScript.path, in: environment) }
        let found = try EventLog.verify(at: LogScript.path, in: environment)
        let paths = Set(found.problems.map(\.path))
        for path in segments[0...2] + [stage, LogScript.path + "/log"] { #expect(paths.contains(path), "\(found.problems)") }
        #expect(found.notes.contains { $0.path.hasSuffix("notes.txt") })
        #expect(found.problems.allSatisfy { !$0.what.isEmpty && !$0.remedy.isEmpty })
        // What lies behind the damage was read as well.
        #expect(found.transactions > 4)
    }

    @Test func blobsAreHashedAndThoseElsewhereCounted() throws {
        let environment = Environment.inMemory()
        let log = try EventLog.create(at: "/store", in: environment)
        let blobs = BlobStore(StoreLayout(root: "/store"), in: environment)
        var references = try (0..<3).map { try blobs.write([UInt8](repeating: UInt8($0), count: 70_000)) }
        references.append(try blobs.write([1, 2, 3]))
        try LogScript.write(references, to: log)
        let whole = try log.verify()
        #expect(whole.isSound && whole.blobs == 3 && whole.blobsElsewhere == 0 && whole.changes == 4)
        try blobs.evict(references[0].id, isPromised: true)
        let path = "/store/blobs/\(references[1].id.description.prefix(2))/\(references[1].id)"
        let file = try environment.fileSystem.open(path, .readWrite)
        try file.write([9].span, at: 69_000)
        let found = try log.verify()
        #expect(found.blobsElsewhere == 1)
        #expect(found.problems.map(\.path) == [path])
        try log.close()
    }

    /// An index with right checksums that is not what the log before it says: readers would begin with a wrong state.
    @Test func anIndexThatLiesIsNamed() throws {
        let environment = Environment.inMemory()
        try EventLog.create(at: "/store", in: environment).close()
        let name = try environment.fileSystem.list("/store/log")[0]
        let file = try environment.fileSystem.open("/store/log/" + name, .readWrite)
        let header = try SegmentHeader(try file.bytes(at: 0, count: 4096), kind: .segment, path: name)
        let start: UInt64 = 12_288
        var frame = try #require(FrameHeader(try file.bytes(at: start, count: 64), at: 0, salt: header.salt))
        let length = Int(frame.storedLength)
        #expect(frame.kind == .index && !frame.isCompressed)
        var index = try SegmentIndex(try file.bytes(at: start + 64, count: length))
        index.clock += 1
        let body = index.encode()
        #expect(body.count == length)
        frame.bodyChecksum = Checksum.xxh3(body.span)
        var writer = ByteWriter()
        frame.append(to: &writer, salt: header.salt)
        writer.raw(body)
        try file.write(writer.bytes.span, at: start)
        let found = try EventLog.verify(at: "/store", in: environment)
        #expect(found.problems.contains { $0.offset == start && $0.what.contains("index") }, "\(found.problems)")
    }

    /// A transaction whose bytes are whole and make no sense: nobody but verifying would say so before it is read.
    @Test func contentThatBreaksARuleIsNamed() throws {
        let environment = Environment.inMemory()
        let log = try EventLog.create(at: "/store", in: environment)
        let transaction = try log.begin(author: "test")
        try transaction.add(part: TestPart.bytes(transaction.header) + [1, 200])
        _ = try log.finish(transaction)
        try log.flush()
        let found = try log.verify()
        #expect(found.problemCount == 1 && found.problems[0].what.contains("transaction 1 of \(log.replica)"))
        try log.close()
    }

    @Test func aWriterMayGoOnMeanwhile() async throws {
        let environment = Environment.inMemory()
        let sizes = LogSizes(smallestSegment: 24 << 10, largestSegment: 64 << 10)
        let log = try EventLog.create(at: "/store", in: environment, sizes: sizes)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<150 { try LogScript().commit([[50 + number]], to: log) }
            }
            group.addTask {
                for _ in 0..<15 {
                    let lsn = log.durableState.position.lastLSN
                    let found = try LogVerifier.check("/store", in: environment, "while writing")
                    #expect(found.lastLSN >= lsn)
                }
            }
            try await group.waitForAll()
        }
        try LogVerifier.close(log, at: "/store", in: environment)
    }

    @Test func forksAndHoldsAreSound() throws {
        var dice = Dice(5)
        for _ in 0..<8 {
            let environment = Environment.simulated(seed: 1)
            let log = try EventLog.create(at: "/store", in: environment)
            let now = environment.clock.now()
            // Some of it is too far ahead of the clock, and held.
            let tree = ForkTree(transactions: 24, dataset: log.dataset, now: now + HoldRule.boundMilliseconds - 3, dice: &dice)
            for node in tree.order(&dice) {
                _ = try log.receive(tree.batch(to: node, count: 1 + dice.below(4)))
                if dice.chance(40) { try log.flush() }
            }
            try log.flush()
            #expect(log.durableState.branches.hasForks)
            #expect(log.durableState.branches.branches.contains { $0.isHeld })
            try LogVerifier.close(log, at: "/store", in: environment)
        }
    }
}
