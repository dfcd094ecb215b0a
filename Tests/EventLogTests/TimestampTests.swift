import EventLog
import Storage
import Testing

@Suite struct TimestampTests {
    @Test func theClockAscendsWhateverTheWallSays() {
        var clock = HybridClock()
        #expect(clock.tick(now: 100) == Timestamp(milliseconds: 100))
        #expect(clock.tick(now: 100) == Timestamp(milliseconds: 100, counter: 1))
        #expect(clock.tick(now: 5) == Timestamp(milliseconds: 100, counter: 2))
        clock.observe(Timestamp(milliseconds: 300, counter: 7))
        clock.observe(Timestamp(milliseconds: 200))
        #expect(clock.tick(now: 101) == Timestamp(milliseconds: 300, counter: 8))
        #expect(clock.tick(now: 301) == Timestamp(milliseconds: 301))
    }

    @Test func aFullCounterCarries() {
        var clock = HybridClock(last: Timestamp(milliseconds: 9, counter: .max))
        #expect(clock.tick(now: 1) == Timestamp(milliseconds: 10))
    }

    @Test func stampsAreOrderedByTimeThenReplica() {
        let (a, b) = (ReplicaID(Digest128(high: 0, low: 1)), ReplicaID(Digest128(high: 1, low: 0)))
        let early = Timestamp(milliseconds: 1)
        let late = Timestamp(milliseconds: 1, counter: 1)
        #expect(Stamp(timestamp: early, replica: b) < Stamp(timestamp: late, replica: a))
        #expect(Stamp(timestamp: early, replica: a) < Stamp(timestamp: early, replica: b))
        #expect(Timestamp(milliseconds: .max).milliseconds == 0xFFFF_FFFF_FFFF)
        #expect(late.description == "1.1")
    }
}
