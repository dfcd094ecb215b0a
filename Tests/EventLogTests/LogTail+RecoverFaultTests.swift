import EventLog
import Simulation
import Storage
import Testing

/// What a process believes after a failed step while another one goes on in the same store.
@Suite struct LogTailRecoverFaultTests {
    /// How the log was left to the process whose calls then fail.
    enum Start: CaseIterable {
        /// It has lost its shared page, so that nobody vouches for what it finds.
        case splitPage
        /// A process that died left a beginning of a commit.
        case tornTail
        /// A process that died wrote a commit and did not sync it.
        case unsynced
        /// The sync of another process failed, and so did what should have come instead.
        case givenUp
        /// Nothing was left; its commit begins a segment.
        case fullSegment
    }

    private static let ways: [Fault] = {
        #if DEBUG
        let ways = [Fault(at: 0), Fault(at: 0, of: [.sync, .syncDirectory], effect: .losesUnsynced)]
        #else
        let ways = Fault.everyWay
        #endif
        // A lock that is not given back stays with its handle, which no kernel does.
        let calls = OperationKinds.all.subtracting(.lock)
        return ways.map { way in
            var way = way
            if way.operations == .all { way.operations = calls }
            return way
        } + [
            Fault(at: 0, of: .create, with: .diskFull, sticky: true),
            Fault(at: 0, of: [.open, .create], with: .tooManyOpenFiles, sticky: true),
        ]
    }()

    private func open(_ disk: SimulatedFileSystem, seed: UInt64) throws -> EventLog {
        var environment = Environment.simulated(seed: 1, fileSystem: disk)
        environment.random = SeededRandom(seed: seed)
        return try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
    }

    private func rebooted(_ disk: SimulatedFileSystem) -> Environment {
        Environment.simulated(seed: 1, fileSystem: disk).rebooted(fileSystem: disk, seed: 9)
    }

    private static let shared = LogScript.path + "/SHARED"

    /// Two logs on one disk: the one whose calls are to fail, and another.
    private func begin(_ start: Start) throws -> (disk: SimulatedFileSystem, script: LogScript, logs: [EventLog]) {
        let (disk, script) = try LogScript.initial()
        let failing = try open(disk, seed: 7)
        try script.commit([[10]], to: failing)
        if start == .splitPage {
            try disk.sharedPage(Self.shared, words: 512).store(0, at: 12)
            try disk.remove(Self.shared)
        }
        let other = try open(disk, seed: 8)
        try script.commit([[20]], to: other)
        if start != .splitPage { try script.commit([[start == .fullSegment ? 14_000 : 10]], to: failing) }
        guard [.tornTail, .unsynced, .givenUp].contains(start) else { return (disk, script, [failing, other]) }
        let dying = try open(disk, seed: 9)
        let transaction = try dying.begin()
        var dice = Dice(5)
        try transaction.add(
            part: TestPart.bytes(transaction.header) + TestPart.filler(900) { UInt8(truncatingIfNeeded: dice.next()) })
        try dying.finish(transaction)
        if start == .tornTail {
            disk.inject(Fault(at: 0, of: .write, sticky: true, effect: .writesPrefix(700)))
            disk.inject(Fault(at: 0, of: .truncate, sticky: true))
        } else {
            disk.inject(Fault(at: 0, of: .sync, sticky: true, effect: start == .givenUp ? .losesUnsynced : .nothing))
            disk.inject(Fault(at: 0, of: .create, sticky: true))
        }
        #expect(throws: LogError.self) { try dying.flush() }
        disk.clearFaults()
        // Who is killed over it tells nobody.
        if start != .givenUp { try disk.sharedPage(Self.shared, words: 512).store(0, at: 9) }
        try dying.close()
        return (disk, script, [failing, other])
    }

    @Test(arguments: Start.allCases) func nothingIsLostBetweenTwoProcessesOfWhichOneFails(_ start: Start) throws {
        try forEachFailure(after: start) { try goOn($0, $1, $2) }
    }

    /// What it found and could not make durable is not shown by the next attempt, and gone when the power goes.
    @Test(arguments: Start.allCases) func whatFailedIsDoneByTheNextAttempt(_ start: Start) throws {
        try forEachFailure(after: start) { disk, script, logs in
            script.attempt([[20]], logs[0])
            guard logs[0].failure == nil else { return }
            try script.commit([[30]], to: logs[0])
            try script.check(logs[0])
            let image = disk.crash(keeping: .none)
            try script.checkRecovery(of: image, in: rebooted(image))
        }
    }

    private func forEachFailure(
        after start: Start, _ goOn: (SimulatedFileSystem, LogScript, [EventLog]) throws -> Void
    ) throws {
        var tried = 0
        for var fault in Self.ways {
            for index in 0... {
                let (disk, script, logs) = try begin(start)
                fault.index = index
                disk.inject(fault)
                script.attempt([[14_000]], logs[0])
                guard disk.failureCount > 0 else { break }
                disk.clearFaults()
                do {
                    try goOn(disk, script, logs)
                } catch {
                    Issue.record("\(fault): \(error)")
                    return
                }
                tried += 1
            }
        }
        #expect(tried > 20)
    }

    private func goOn(_ disk: SimulatedFileSystem, _ script: LogScript, _ logs: [EventLog]) throws {
        for size in [10, 3000] { try script.commit([[size]], to: logs[1]) }
        script.attempt([[20]], logs[0])
        try script.commit([[30]], to: logs[1])
        script.attempt([[9000]], logs[0])
        try script.commit([[14_000]], to: logs[1])
        try script.check(logs[1], "for the other process")
        if logs[0].failure == nil {
            try script.commit([[40]], to: logs[0])
            try script.check(logs[0], "for the process that failed")
        }
        let image = disk.crash(keeping: .none)
        try script.checkRecovery(of: image, in: rebooted(image))
        disk.killProcess()
        try script.checkRecovery(of: disk, in: .simulated(seed: 1, fileSystem: disk))
    }

    /// Git and zip leave out directories that are empty.
    @Test(arguments: [true, false]) func aWriterMakesTheDirectoriesThatAreMissing(_ isSameBoot: Bool) throws {
        let (disk, script) = try LogScript.initial()
        let layout = StoreLayout(root: LogScript.path)
        for directory in layout.directories where try disk.list(directory).isEmpty { try disk.removeDirectory(directory) }
        let environment = isSameBoot ? Environment.simulated(seed: 1, fileSystem: disk) : rebooted(disk)
        let log = try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
        for group in [[[10]], [[14_000]], [[9000, 9000]], [[6000, 6000, 6000, 5000]]] { try script.commit(group, to: log) }
        try script.check(log)
        try log.close()
        for directory in layout.directories { #expect(try disk.attributes(of: directory)?.isDirectory == true, "\(directory)") }
        try LogVerifier.check(LogScript.path, in: environment)
    }
}
