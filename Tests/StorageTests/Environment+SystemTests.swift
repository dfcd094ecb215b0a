import Storage
import Testing

@Suite struct SystemTests {
    @Test func clocksRun() {
        let clock = SystemClock()
        #expect(clock.now() > 1_700_000_000_000)
        let first = clock.monotonic()
        #expect(clock.monotonic() >= first)
        let signal = WakeSignal()
        #expect(!signal.wait(past: signal.generation, milliseconds: 5))
        #expect(clock.monotonic() - first >= 5_000_000)
    }

    @Test func chanceDoesNotRepeat() {
        let random = SystemRandom()
        #expect(Set((0..<1_000).map { _ in random.next() }).count == 1_000)
    }

    @Test func theHostIsTheSameEveryTime() {
        let host = HostIdentity.current
        #expect(host == Environment.system.host && host == Environment.inMemory().host)
        #expect(host.machine != host.boot && host.machine != .zero && host.boot != .zero)
    }

    @Test func inMemoryEnvironmentsAreApart() throws {
        let first = Environment.inMemory().fileSystem
        let second = Environment.inMemory().fileSystem
        try first.replace("/a", with: [1])
        #expect(try second.list("/") == [])
    }
}
