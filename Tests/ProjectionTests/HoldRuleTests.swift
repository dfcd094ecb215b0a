import EventLog
import Projection
import Testing

@Suite struct HoldRuleTests {
    private let a = Scribe(0xa).id
    private let b = Scribe(0xb).id

    private func at(_ times: UInt64...) -> [(sequence: UInt64, timestamp: Timestamp)] {
        times.enumerated().map { (UInt64($0 + 1), Timestamp(milliseconds: $1)) }
    }

    @Test func sixtySecondsAheadIsAppliedAndAMillisecondMoreWaits() {
        #expect(!HoldRule.holds(Timestamp(milliseconds: 61_000, counter: .max), now: 1_000))
        #expect(HoldRule.holds(Timestamp(milliseconds: 61_001), now: 1_000))
        #expect(!HoldRule.holds(Timestamp(milliseconds: 61_001), now: .max))
    }

    @Test func whatFollowsFromThatOriginWaitsTooAndOthersGoOn() {
        let received = [a: at(1_000, 100_000, 100_001), b: at(1_000, 2_000)]
        #expect(HoldRule.applicable(received: received, now: 1_000) == [a: 1, b: 2])
        #expect(HoldRule.applicable(received: received, now: 40_000) == [a: 2, b: 2])
        #expect(HoldRule.applicable(received: received, now: 40_001) == [a: 3, b: 2])
    }

    @Test func aReleaseAppliesUpToItsSequence() {
        let received = [a: at(1_000, 100_000, 200_000)]
        #expect(HoldRule.applicable(received: received, releases: [a: 2], now: 1_000) == [a: 2])
        #expect(HoldRule.applicable(received: received, releases: [a: 3], now: 1_000) == [a: 3])
    }

    @Test func whatWasAppliedStaysAppliedWhenTheClockGoesBack() {
        let received = [a: at(1_000, 100_000, 100_001)]
        #expect(HoldRule.applicable(received: received, applied: [a: 2], now: 0) == [a: 2])
        #expect(HoldRule.applicable(received: received, applied: [a: 2, b: 7], now: 90_000) == [a: 3, b: 7])
    }

    @Test func localWritesAreNeverHeld() {
        #expect(HoldRule.applicable(received: [a: at(900_000)], local: a, now: 0) == [a: 1])
    }
}
