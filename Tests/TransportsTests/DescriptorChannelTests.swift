import Glibc
import Simulation
import Testing
import TransportContract
import Transports

@Suite("DescriptorChannel")
struct DescriptorChannelTests {
    private func isBlocking(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0 }

    @Test("a pipe that nobody reads is an error and no signal, whoever handles SIGPIPE")
    func brokenPipe() async throws {
        try await blocking {
            let ends = try TransportAdapters.makePipe()
            let unused = try TransportAdapters.makePipe()
            let channel = try DescriptorChannel(reading: unused.reading, writing: ends.writing, peer: "pipe:1")
            close(unused.writing)
            close(ends.reading)
            let error = #expect(throws: TransportError.self) { try channel.write([1, 2, 3].span) }
            #expect(error?.code == .closed && error?.address == "pipe:1" && error?.isRetryable == true)
            #expect(error?.message.contains("pipe:1") == true)
            var pending = sigset_t()
            unsafe sigpending(&pending)
            let isPending = unsafe sigismember(&pending, SIGPIPE)
            #expect(isPending == 0, "the signal was taken back")
            var mask = sigset_t()
            unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
            let isBlocked = unsafe sigismember(&mask, SIGPIPE)
            #expect(isBlocked == 0, "and the thread handles signals as before")
        }
    }

    @Test("descriptors that others share wait again after the channel has closed")
    func blockingFlags() throws {
        let (there, back) = (try TransportAdapters.makePipe(), try TransportAdapters.makePipe())
        let kept = (dup(back.reading), dup(there.writing))
        #expect(isBlocking(kept.0) && isBlocking(kept.1))
        let channel = try DescriptorChannel(reading: back.reading, writing: there.writing, peer: "pipes")
        #expect(!isBlocking(kept.0) && !isBlocking(kept.1))
        #expect(fcntl(back.reading, F_GETFD) & FD_CLOEXEC != 0, "no child inherits it")
        channel.close()
        channel.close()
        #expect(isBlocking(kept.0) && isBlocking(kept.1))
        for number in [kept.0, kept.1, there.reading, back.writing] { #expect(close(number) == 0) }
    }

    @Test("what is no open descriptor is refused, and the other one stays open")
    func notOpen() throws {
        let ends = try TransportAdapters.makePipe()
        for pair in [(ends.reading, Int32(1_000_000)), (1_000_000, ends.writing)] {
            let error = #expect(throws: TransportError.self) {
                try DescriptorChannel(reading: pair.0, writing: pair.1, peer: "stdio")
            }
            #expect(error?.code == .closed && error?.message.contains("1000000") == true)
        }
        #expect(isBlocking(ends.reading) && close(ends.reading) == 0 && close(ends.writing) == 0)
    }

    @Test("a descriptor given twice is closed once, and an empty write is none")
    func shared() throws {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let user = PeerIdentity.user(uid: 7, process: 0)
        let channel = try DescriptorChannel(reading: ends[0], writing: ends[0], peer: "socket", identity: user)
        #expect(channel.identity?.description == "user 7")
        #expect(try channel.write([UInt8]().span) == 0)
        #expect(
            channel.readiness(wantsToWrite: true)
                == .descriptors([PollInterest(descriptor: ends[0], read: true, write: true)]))
        channel.close()
        #expect(channel.readiness(wantsToWrite: true) == .descriptors([]))
        close(ends[1])
    }
}
