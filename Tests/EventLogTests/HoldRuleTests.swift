import EventLog
import Testing

@Suite struct HoldRuleTests {
    @Test func sixtySecondsAheadIsAppliedAndAMillisecondMoreWaits() {
        #expect(!HoldRule.holds(Timestamp(milliseconds: 61_000, counter: .max), now: 1_000))
        #expect(HoldRule.holds(Timestamp(milliseconds: 61_001), now: 1_000))
        #expect(!HoldRule.holds(Timestamp(milliseconds: 61_001), now: .max))
        #expect(HoldRule.holds(Timestamp(milliseconds: .max), now: 1_000))
    }
}
