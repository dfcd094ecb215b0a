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
}
