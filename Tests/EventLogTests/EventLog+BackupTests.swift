import EventLog
import Simulation
import Storage
import Testing

/// Copies of stores that are in use.
@Suite struct EventLogBackupTests {
    private func environment(_ files: any FileSystem, seed: UInt64 = 1) -> Environment {
        var environment = Environment.simulated(seed: 1)
        environment.fileSystem = files
        environment.random = SeededRandom(seed: seed)
        return environment
    }

    private func exchange(from source: EventLog, to target: EventLog) throws {
        var reader = try LogReader(source)
        while let transaction = try reader.next() {
            var parts: [PartBytes] = []
            try source.forEachPart(of: transaction) { parts.append($0) }
            let bodies = parts.enumerated().map { number, part in
                PartBody(
                    origin: transaction.branch.origin, sequence: transaction.sequence, number: UInt64(number),
                    isLast: number == parts.count - 1, previousChain: transaction.previousChain, chain: transaction.chain,
                    part: part)
            }
            var collector = try target.beginReceiving(bodies[0])
            for body in bodies.dropFirst() { try collector.add(body.part) }
            _ = try target.finishReceiving(collector, chain: transaction.chain)
        }
        try target.flush()
    }

    @Test func theCopyHasEverythingAndAnotherId() throws {
        let files = InMemoryFileSystem()
        let log = try EventLog.create(at: "/store", in: environment(files), sizes: LogScript.sizes)
        let script = LogScript()
        for group in [[[3000], [20]], [[9000]], [[6000, 6000, 6000, 5000]], [[9000], [9000]], [[10]]] {
            try script.commit(group, to: log)
        }
        let blob = try BlobStore(StoreLayout(root: "/store"), in: environment(files)).write(
            [UInt8](repeating: 7, count: 99_000))
        try LogScript.write([blob], to: log)
        // Neither pending nor unfinished work is copied.
        let pending = try log.begin(author: "pending")
        try pending.add(part: TestPart.bytes(pending.header))
        _ = try log.finish(pending)
        var last: (done: UInt64, total: UInt64) = (0, 0)
        let made = try log.backup(to: "/copy") { last = ($0, $1) }
        #expect(made.lastLSN == 8 && made.stages == 1 && made.blobs == 1 && made.segments > 2)
        #expect(last.done == last.total && last.total > 0)
        let found = try LogVerifier.check("/copy", in: environment(files))
        #expect(found.transactions == 8 && found.blobs == 1 && found.blobsElsewhere == 0 && found.stages == 1)

        let copy = try EventLog.open(at: "/copy", in: environment(files, seed: 9), sizes: LogScript.sizes)
        #expect(copy.recovery.tail == .clean && !copy.recovery.wasUnclean && copy.recovery.newReplica != nil)
        #expect(copy.replica != log.replica)
        try script.check(copy)

        // Both go on, and then exchange what they have.
        let (left, right) = (LogScript(), LogScript())
        try left.commit([[100], [5000, 7000, 8000, 9000]], to: log)
        try right.commit([[200], [300]], to: copy)
        try exchange(from: log, to: copy)
        try exchange(from: copy, to: log)
        let positions = { (log: EventLog) in
            log.durableState.branches.positions(applied: true).map { "\($0.name) \($0.position)" }
        }
        #expect(positions(log) == positions(copy))
        #expect(!log.durableState.branches.hasForks && positions(log).count == 2)
        let chains = Set(try LogVerifier.entries(log).map(\.chain))
        #expect(chains == Set(try LogVerifier.entries(copy).map(\.chain)) && chains.count == 13)
        #expect(chains.isSuperset(of: (left.acknowledged + right.acknowledged).map(\.chain)))
        try LogVerifier.close(log, at: "/store", in: environment(files, seed: 10))
        try LogVerifier.close(copy, at: "/copy", in: environment(files, seed: 11))
    }

    @Test func aDestinationInUseIsRefused() throws {
        let files = InMemoryFileSystem()
        let log = try EventLog.create(at: "/store", in: environment(files))
        try files.createDirectory("/full")
        try files.open("/full/file", .create).close()
        try files.createDirectory("/empty")
        for (path, code) in [
            ("/full", LogError.Code.alreadyExists), ("/full/file", .alreadyExists), ("/store", .alreadyExists),
            ("/store/blobs/copy", .alreadyExists), ("/none/copy", .notFound),
        ] {
            #expect { try log.backup(to: path) } throws: { ($0 as? LogError)?.code == code }
        }
        try log.backup(to: "/empty/")
        #expect { try log.backup(to: "/empty") } throws: { ($0 as? LogError)?.code == .alreadyExists }
        try LogVerifier.check("/empty", in: environment(files))
        #expect(try files.list("/") == ["empty", "full", "store"])
        // Another backup that is under way keeps its draft.
        try files.createDirectory("/copy.backup-unfinished")
        let other = try files.open("/copy.backup-unfinished/LOCK", .create)
        #expect(try other.tryLock())
        #expect { try log.backup(to: "/copy") } throws: { ($0 as? LogError)?.underlying?.code == .locked }
        // And one that died leaves its draft to the next.
        try files.createDirectory("/copy.backup-unfinished/log")
        other.close()
        try log.backup(to: "/copy")
        #expect(try files.list("/") == ["copy", "empty", "full", "store"])
        try LogVerifier.check("/copy", in: environment(files))
        try log.close()
    }

    @Test func aStoppedBackupLeavesNothing() throws {
        struct Stop: Error {}
        let files = InMemoryFileSystem()
        let log = try EventLog.create(at: "/store", in: environment(files))
        #expect(throws: Stop.self) { try log.backup(to: "/copy") { _, _ in throw Stop() } }
        #expect(try files.list("/") == ["store"])
        try log.close()
    }

    @Test func aStoreThatIsBeingWrittenIsCopiedAtSomeMoment() async throws {
        let files = InMemoryFileSystem()
        let sizes = LogSizes(smallestSegment: 24 << 10, largestSegment: 64 << 10)
        let log = try EventLog.create(at: "/store", in: environment(files), sizes: sizes)
        let copies = 5
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for number in 0..<200 { try LogScript().commit([[50 + number]], to: log) } }
            group.addTask {
                for number in 0..<copies {
                    let before = log.durableState.position.lastLSN
                    let made = try log.backup(to: "/copy\(number)")
                    #expect(made.lastLSN >= before)
                }
            }
            try await group.waitForAll()
        }
        let all = try LogVerifier.entries(log)
        for number in 0..<copies {
            try LogVerifier.check("/copy\(number)", in: environment(files))
            let copy = try EventLog.open(at: "/copy\(number)", in: environment(files, seed: 20 + UInt64(number)), sizes: sizes)
            let entries = try LogVerifier.entries(copy)
            #expect(entries == Array(all.prefix(entries.count)))
            try LogScript().commit([[100]], to: copy)
            try LogVerifier.close(copy, at: "/copy\(number)", in: environment(files, seed: 50 + UInt64(number)))
        }
        try log.close()
    }
}
