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
            _ = try log.finish(transaction)
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
            _ = try log.finish(transaction)
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
}
