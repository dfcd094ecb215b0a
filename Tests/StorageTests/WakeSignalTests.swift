import Storage
import Synchronization
import Testing

@Suite struct WakeSignalTests {
    @Test func whatCameBeforeIsNotWaitedFor() {
        let signal = WakeSignal()
        let ticket = signal.generation
        signal.advance()
        #expect(signal.generation == ticket + 1)
        #expect(signal.wait(past: ticket))
        #expect(signal.spin(past: ticket, nanoseconds: 0))
    }

    @Test func whatDoesNotComeIsNotWaitedForForEver() {
        let signal = WakeSignal()
        #expect(!signal.wait(past: signal.generation, milliseconds: 1))
        #expect(!signal.spin(past: signal.generation, nanoseconds: 1_000))
    }

    /// Two threads wake each other by turns, asleep or spinning: a lost wake-up would end this never.
    @Test(arguments: [false, true]) func noWakeUpIsLost(spins: Bool) throws {
        let (there, back, ended) = (WakeSignal(), WakeSignal(), WakeSignal())
        let rounds: UInt64 = 20_000
        try WorkerThreads.run {
            for round in 0..<rounds {
                if !spins || round % 3 == 0 || !there.spin(past: round, nanoseconds: 2_000) { there.wait(past: round) }
                back.advance()
            }
            ended.advance()
        }
        for round in 0..<rounds {
            there.advance()
            if !spins || round % 5 == 0 || !back.spin(past: round, nanoseconds: 2_000) { back.wait(past: round) }
        }
        ended.wait(past: 0)
        #expect(there.generation == rounds && back.generation == rounds)
    }

    @Test func allWhoWaitAreWoken() throws {
        let (signal, ended) = (WakeSignal(), WakeSignal())
        let woken = Atomic(0)
        for _ in 0..<8 {
            try WorkerThreads.run {
                signal.wait(past: 0)
                woken.add(1, ordering: .acquiringAndReleasing)
                ended.advance()
            }
        }
        signal.advance()
        while woken.load(ordering: .acquiring) < 8 { ended.wait(past: ended.generation, milliseconds: 1) }
        let all = woken.load(ordering: .acquiring)
        #expect(all == 8)
    }
}
