import Simulation
import Storage
import Testing

@Suite struct EnvironmentTests {
    @Test func aSeedRepeats() {
        let words = { (seed: UInt64) in
            let random = SeededRandom(seed: seed)
            return (0..<100).map { _ in random.next() }
        }
        #expect(words(1) == words(1))
        #expect(words(1) != words(2))
        #expect(Set(words(3)).count == 100)
        // The first words of SplitMix64 for seed 1234567, as its authors publish them.
        let known = SeededRandom(seed: 1_234_567)
        #expect(
            [known.next(), known.next(), known.next()] == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }

    @Test func environmentsRepeatAndDiffer() {
        let first = Environment.simulated(seed: 1)
        #expect(first.host == Environment.simulated(seed: 1).host)
        #expect(first.host.machine != Environment.simulated(seed: 2).host.machine)
        let next = first.rebooted(seed: 9)
        #expect(next.host.machine == first.host.machine && next.host.boot != first.host.boot)
    }

    @Test func clocksObey() {
        let clock = SimulatedClock(now: 1_000)
        #expect(clock.now() == 1_000 && clock.now() == 1_000 && clock.monotonic() == 0)
        clock.advance(milliseconds: 5)
        #expect(clock.now() == 1_005 && clock.monotonic() == 5_000_000)
        clock.set(now: 10)
        #expect(clock.now() == 10 && clock.monotonic() == 5_000_000)
        let stepping = SimulatedClock(now: 0, step: 2)
        #expect([stepping.now(), stepping.now(), stepping.now()] == [0, 2, 4])
    }
}
