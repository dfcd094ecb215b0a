import EventLog
import Simulation
import Storage
import Testing

/// Reading what was written, from any place, after any kind of end.
@Suite struct LogReaderTests {
    private func write(_ count: Int, size: Int, to log: EventLog, from first: Int = 0) throws {
        for number in first..<first + count {
            let transaction = try log.begin(author: "\(number):" + String(repeating: "x", count: size))
            try transaction.add(part: TestPart.bytes(transaction.header))
            try log.finish(transaction)
            try log.flush()
        }
    }

    private func sequences(_ log: EventLog, after lsn: UInt64 = 0) throws -> [UInt64] {
        var reader = try LogReader(log, after: lsn)
        var found: [UInt64] = []
        while let transaction = try reader.next() {
            #expect(transaction.lsn == lsn + UInt64(found.count) + 1)
            found.append(transaction.sequence)
        }
        return found
    }

    @Test func readsFromEveryPlaceAcrossSegments() throws {
        let environment = Environment.inMemory()
        let log = try EventLog.create(at: "/store", in: environment)
        try write(700, size: 900, to: log)
        let all = (1...700).map { UInt64($0) }
        #expect(try sequences(log) == all)
        for lsn in stride(from: UInt64(0), through: 700, by: 37) {
            #expect(try sequences(log, after: lsn) == Array(all.dropFirst(Int(lsn))))
        }
        #expect(log.durableState.position.ordinal > 1)
        try log.close()

        let reopened = try EventLog.open(at: "/store", in: environment)
        #expect(reopened.recovery.isEmpty)
        #expect(try sequences(reopened) == all)
        try write(50, size: 100, to: reopened, from: 700)
        #expect(try sequences(reopened, after: 700) == (701...750).map { UInt64($0) })
        try reopened.close()
        let readOnly = try EventLog.open(at: "/store", in: environment, mode: .readOnly)
        #expect(try sequences(readOnly).count == 750)
    }

    @Test func readsTransactionsOfSeveralPartsAndStagedOnes() throws {
        let environment = Environment.inMemory()
        let log = try EventLog.create(at: "/store", in: environment)
        for parts in [2, 3, 9] {
            let transaction = try log.begin()
            for number in 0..<parts {
                var part = number == 0 ? TestPart.bytes(transaction.header) : [2, 0, 0, 0]
                part.append(contentsOf: (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
                try transaction.add(part: part)
            }
            try log.finish(transaction)
            try log.flush()
        }
        try log.close()
        let reopened = try EventLog.open(at: "/store", in: environment)
        var reader = try LogReader(reopened)
        var counts: [Int] = []
        while let transaction = try reader.next() {
            var count = 0
            try reopened.forEachPart(of: transaction) { _ in count += 1 }
            counts.append(count)
        }
        #expect(counts == [2, 3, 9])
        try reopened.close()
    }

    @Test func abandonedTransactionsBecomeVoid() throws {
        let environment = Environment.inMemory()
        let log = try EventLog.create(at: "/store", in: environment)
        try log.abandon(try log.begin())
        try write(1, size: 10, to: log)
        #expect(try sequences(log) == [1, 2])
        var reader = try LogReader(log)
        guard case .parts(let parts)? = try reader.next()?.content else { return #expect(Bool(false), "no transaction") }
        #expect(try PartPreamble(parts[0]).isVoid)
        try log.close()
    }

    /// Groups, parts, stages and voids: from each place exactly what comes behind it, and from beyond the end nothing.
    @Test func readsTheSameFromEveryPlace() throws {
        let (disk, script) = try LogScript.initial()
        try script.run(on: disk)
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let log = try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
        try script.check(log)
        let all = try LogVerifier.entries(log)
        #expect(all.count == 16 && log.durableState.position.ordinal > 3)
        for lsn in 0...all.count {
            #expect(try LogVerifier.entries(log, after: UInt64(lsn)) == Array(all.dropFirst(lsn)))
        }
        var reader = try LogReader(log, after: .max)
        #expect(try reader.next()?.lsn == nil)
        try LogVerifier.close(log, at: LogScript.path, in: environment)
    }

    @Test func readingOnlyChangesNothing() throws {
        let (disk, script) = try LogScript.initial()
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let writer = try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
        let before = try EventLog.open(at: LogScript.path, in: environment, mode: .readOnly)
        for size in [9000, 9000, 20_000] { try script.commit([[size]], to: writer) }
        #expect(try LogVerifier.entries(before).count == 1)
        let changes = disk.changeCount
        let after = try EventLog.open(at: LogScript.path, in: environment, mode: .readOnly)
        try script.check(after)
        #expect(throws: LogError.self) { try after.begin() }
        try after.close()
        #expect(disk.changeCount == changes)
        try writer.close()
    }
}
