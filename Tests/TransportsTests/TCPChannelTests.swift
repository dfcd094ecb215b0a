import Simulation
import Storage
import Testing
import TransportContract
import Transports

@Suite("TCPChannel")
struct TCPChannelTests {
    /// The error that ends a channel.
    private static func failure(of channel: any ByteChannel) throws -> TransportError {
        let stream = try ByteStream(channel)
        do {
            while let bytes = try stream.read(), !bytes.isEmpty {}
        } catch let error as TransportError {
            return error
        }
        throw ContractBreach("\(channel.peer) did not fail")
    }

    @Test("a port where nobody listens is refused, a name that is none is unreachable")
    func unreachable() async throws {
        try await blocking {
            let listener = try TCPListener(HostAddress(host: "127.0.0.1", port: 0))
            let place = listener.place
            listener.close()
            let refused = try Self.failure(of: try TCPTransport(place).connect())
            #expect(refused.code == .refused && refused.address == "tcp://\(place)" && refused.isRetryable)
            let unknown = try Self.failure(of: try TCPTransport(HostAddress(host: "no-such-host.invalid", port: 1)).connect())
            #expect(unknown.code == .unreachable && unknown.message.contains("no-such-host.invalid"))
            #expect(throws: TransportError.self) { try TCPTransport(HostAddress(host: "", port: 7878)).connect() }
        }
    }

    @Test("a name is looked up beside, and each of its addresses tried")
    func names() async throws {
        try await blocking {
            let listener = try TCPListener(HostAddress(host: "127.0.0.1", port: 0), scheme: "tls")
            #expect(listener.address == "tls://127.0.0.1:\(listener.place.port)" && listener.place.port > 0)
            // Of localhost's addresses, ::1 is tried too, and nobody listens there.
            let transport = TCPTransport(HostAddress(host: "localhost", port: listener.place.port))
            let near = try ByteStream(try transport.connect())
            let far = try ByteStream(try TransportAdapters.accept(from: listener))
            #expect(far.channel.peer.hasPrefix("tls://127.0.0.1:"))
            try near.write([1, 2, 3])
            #expect(try far.readAll(upTo: 3) == [1, 2, 3])
            listener.close()
        }
    }

    @Test("an empty host listens at every address of the machine")
    func everywhere() async throws {
        try await blocking {
            let listener = try TCPListener(HostAddress(host: "", port: 0))
            let near = try ByteStream(try TCPTransport(HostAddress(host: "127.0.0.1", port: listener.place.port)).connect())
            try near.write([9])
            let far = try ByteStream(try TransportAdapters.accept(from: listener))
            #expect(try far.readAll(upTo: 1) == [9])
            let taken = #expect(throws: TransportError.self) { try TCPListener(listener.place) }
            #expect(taken?.code == .failed && taken?.message.contains("another program") == true)
            listener.close()
        }
    }

    @Test("an address that does not answer is given up in time")
    func silent() async throws {
        try await blocking {
            let clock = SimulatedClock()
            // 192.0.2.0/24 is for documentation: nobody is there; where a network says so at once, it is the same error.
            let channel = try TCPTransport(HostAddress(host: "192.0.2.1", port: 7878), clock: clock).connect()
            do {
                try channel.recheck()
                clock.advance(milliseconds: 16_000)
                try channel.recheck()
                Issue.record("it is not given up")
            } catch let error as TransportError {
                #expect([.timedOut, .unreachable, .refused, .notPermitted].contains(error.code), "\(error)")
            }
            let again = try Self.failure(of: channel)
            #expect(again.address == "tcp://192.0.2.1:7878")
            channel.close()
        }
    }
}
