import Glibc
import Simulation
import Storage
import Synchronization
import Testing
import TransportContract
import Transports

@Suite("Poller")
struct PollerTests {
    @Test("waits for six hundred channels and names those that are ready")
    func many() async throws {
        try await blocking {
            var channels: [DescriptorChannel] = []
            for index in 0..<300 {
                var ends: [Int32] = [-1, -1]
                #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
                for end in ends { channels.append(try DescriptorChannel(reading: end, writing: end, peer: "channel \(index)")) }
            }
            let poller = try Poller()
            let interests = channels.flatMap { channel -> [PollInterest] in
                guard case .descriptors(let interests) = channel.readiness(wantsToWrite: false) else { return [] }
                return interests
            }
            #expect(interests.count == 600)
            #expect(try poller.wait(interests, nanoseconds: 0) == [])
            for index in [4, 598] { #expect(try channels[index].write([1].span) == 1) }
            #expect(try poller.wait(interests, nanoseconds: nil) == [5, 599])
            channels[100].close()
            #expect(try poller.wait(interests, nanoseconds: nil).contains(101), "an end whose peer closed is ready")
            for channel in channels { channel.close() }
        }
    }

    @Test("a wake before a wait, and one during it, end it")
    func wakes() async throws {
        try await blocking {
            let poller = try Poller()
            for _ in 0..<3 { poller.wake() }
            #expect(try poller.wait([], nanoseconds: nil) == [])
            let isWoken = Mutex(false)
            for _ in 0..<2_000 {
                isWoken.withLock { $0 = false }
                try WorkerThreads.run {
                    isWoken.withLock { $0 = true }
                    poller.wake()
                }
                // Returns for nothing but that wake, so it cannot be lost: the test would never end.
                _ = try poller.wait([], nanoseconds: nil)
                let hasBeen = isWoken.withLock { $0 }
                #expect(hasBeen)
            }
        }
    }

    @Test("who is interested in nothing is never ready, and a closed descriptor is")
    func oddities() throws {
        let poller = try Poller()
        let ends = try TransportAdapters.makePipe()
        close(ends.writing)
        #expect(try poller.wait([PollInterest(descriptor: ends.reading, read: false, write: false)], nanoseconds: 0) == [])
        #expect(try poller.wait([PollInterest(descriptor: ends.reading, read: true, write: false)], nanoseconds: 0) == [0])
        close(ends.reading)
        #expect(try poller.wait([PollInterest(descriptor: 1_000_000, read: true, write: false)], nanoseconds: 0) == [0])
        #expect(try poller.wait([], nanoseconds: 1_000_000) == [], "a wait comes to its end by itself")
    }
}
