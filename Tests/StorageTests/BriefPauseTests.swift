import Storage
import Testing

@Suite struct BriefPauseTests {
    /// Short waits and long ones by turns: each ends with its event, and the long ones without when nothing comes.
    @Test func waitsAsTheSignalDoes() throws {
        let (request, answer) = (WakeSignal(), WakeSignal())
        try WorkerThreads.run {
            for round in 0..<2_000 as Range<UInt64> {
                request.wait(past: round)
                if round % 500 == 499 { WakeSignal().wait(past: 0, milliseconds: 2) }
                answer.advance()
            }
        }
        var pause = BriefPause()
        for round in 0..<2_000 as Range<UInt64> {
            request.advance()
            let isAnswered = pause.wait(for: answer, past: round)
            #expect(isAnswered)
            guard round % 100 == 99 else { continue }
            let isMore = pause.wait(for: answer, past: round + 1, milliseconds: 1)
            #expect(!isMore)
        }
        #expect(answer.generation == 2_000)
    }
}
