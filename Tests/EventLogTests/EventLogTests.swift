import EventLog
import Simulation
import Storage
import Testing

@Suite struct EventLogTests {
    @Test func reopensWithWhatWasFlushed() throws {
        let environment = Environment.inMemory()
        let log = try EventLog.create(at: "/store", in: environment)
        let transaction = try log.begin(author: "test")
        try transaction.add(part: TestPart.bytes(transaction.header))
        #expect(try log.finish(transaction).lsn == 1)
        #expect(try log.flush().lsn == 1)
        try log.close()

        let reopened = try EventLog.open(at: "/store", in: environment)
        #expect(reopened.recovery.isEmpty)
        #expect(reopened.durableState.position.lastLSN == 1)
        try reopened.close()
    }

    /// The closing index and the seal stand at every place near the end of a segment in turn.
    @Test(arguments: 0..<24) func aLogClosedNearTheEndOfASegmentIsSound(number: Int) throws {
        let environment = Environment.simulated(seed: 5)
        var dice = SplitMix64(seed: UInt64(number))
        let sizes = LogSizes(smallestSegment: 512 << 10, largestSegment: 512 << 10)
        let log = try EventLog.create(at: "/store", in: environment, sizes: sizes)
        let stop = UInt64(512 << 10) - UInt64(number) * 1_000
        while log.durableState.position.offset + 4_096 < stop {
            let transaction = try log.begin(author: "test")
            let filler = TestPart.filler(3_000 + number * 50) { UInt8(truncatingIfNeeded: dice.next()) }
            try transaction.add(part: TestPart.bytes(transaction.header) + filler)
            try log.finish(transaction)
            try log.flush()
            if log.durableState.position.ordinal > 1 { break }
        }
        try LogVerifier.close(log, at: "/store", in: environment)
    }

    /// Neither a token nor what peers are told, even while the group is in the file already.
    @Test func whatIsNotDurableIsInNoToken() throws {
        let environment = Environment.inMemory()
        let log = try EventLog.create(at: "/store", in: environment)
        let (token, received) = (log.token, log.receivedVector)
        let transaction = try log.begin(author: "test")
        try transaction.add(part: TestPart.bytes(transaction.header))
        try log.finish(transaction)
        #expect(log.token == token && log.receivedVector == received)
        let group = try log.flushGroup { _ in
            #expect(log.token == token && log.receivedVector == received)
        }
        #expect(!group.isEmpty && group.reached.lsn == 1)
        #expect(try log.flushGroup().isEmpty)
        log.yieldIfContended(keepingLock: false)
        #expect(log.token.vector.entries.map(\.sequence) == [1])
        #expect(log.receivedVector.entries.map(\.sequence) == [1])
        try LogVerifier.close(log, at: "/store", in: environment)
    }
}
