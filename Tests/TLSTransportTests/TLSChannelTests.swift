import Simulation
import Storage
import Synchronization
import TLSTransport
import Testing
import TransportContract
import Transports

@Suite("TLSChannel")
struct TLSChannelTests {
    @Test("TLS keeps the contract of every transport", arguments: TransportRule.allCases)
    func contract(_ rule: TransportRule) async throws { try await rule.check(TLSWorld.adapter) }

    @Test("two devices that trust each other know who is at the other end")
    func mutual() throws {
        let world = try TLSWorld()
        let (client, server) = try world.ends(over: ChannelPair())
        #expect(client.identity == nil && server.identity == nil)
        let result = try TLSWorld.run(client, server)
        #expect(result.errors.allSatisfy { $0 == nil } && result.bytes == [[66], [65]])
        #expect(client.identity == .device(world.server.id.description))
        #expect(server.identity == .device(world.client.id.description))
        try client.recheck()
        try server.recheck()
    }

    @Test("a device that is not trusted gets no byte, and both ends are told whom to trust")
    func untrusted() throws {
        let world = try TLSWorld(mutual: false)
        try world.clientTrusts.trust(world.server.id)
        let (client, server) = try world.ends(over: ChannelPair())
        let result = try TLSWorld.run(client, server)
        #expect(result.bytes == [[], []])
        #expect(result.errors.map { $0?.code } == [.untrusted, .untrusted])
        let id = world.client.id.description
        #expect(result.errors[1]?.message.contains("strandline trust STORE \(id)") == true)
        #expect(result.errors[0]?.message.contains("run `strandline trust STORE \(id)` there") == true)
        #expect(server.identity == nil && client.identity == nil)

        let other = try TLSWorld(mutual: false)
        try other.serverTrusts.trust(other.client.id)
        let ends = try other.ends(over: ChannelPair())
        let refused = try TLSWorld.run(ends.client, ends.server)
        #expect(refused.bytes == [[], []] && refused.errors.map { $0?.code } == [.untrusted, .untrusted])
        #expect(refused.errors[0]?.message.contains(other.server.id.description) == true)
    }

    @Test("trust that is withdrawn ends a session at its next check")
    func revoked() throws {
        let world = try TLSWorld()
        let (client, server) = try world.ends(over: ChannelPair())
        #expect(try TLSWorld.run(client, server).bytes == [[66], [65]])
        // As another process does it.
        try TrustList(in: "/server", environment: world.files).untrust(world.client.id)
        try client.recheck()
        let error = #expect(throws: TransportError.self) { try server.recheck() }
        #expect(error?.code == .untrusted && error?.message.contains(world.client.id.description) == true)
        let after = try TLSWorld.run(client, server)
        #expect(after.errors.map { $0?.code } == [.closed, .untrusted] && after.bytes == [[], []])
    }

    @Test("no certificate, an old version, another protocol: each is refused")
    func strangers() throws {
        let world = try TLSWorld()
        for (identity, version) in [(DeviceIdentity?.none, TLSContext.Version.present), (world.client, .outdated)] {
            let below = ChannelPair()
            let client = try world.end(.client, over: below.first, identity: identity, version: version)
            let result = try TLSWorld.run(client, try world.end(.server, over: below.second))
            #expect(result.errors.map { $0?.code } == [.badPeer, .badPeer], "\(result.errors)")
            #expect(result.bytes == [[], []])
            #expect(result.errors.allSatisfy { $0?.message.contains("pair:memory") == true })
        }
    }

    @Test(
        "bytes that are no TLS",
        arguments: [
            "GET / HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{1}\u{0}", "STRANDLINE", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
        ])
    func garbage(text: String) throws {
        let world = try TLSWorld()
        for role in [TLSContext.Role.client, .server] {
            let below = ChannelPair()
            let channel = try world.end(role, over: below.first)
            let bytes = Array(text.utf8) + [UInt8](repeating: 7, count: 40_000)
            #expect(try below.second.write(bytes.span) == bytes.count)
            let error = #expect(throws: TransportError.self) { while try ByteStream(channel).readNow() != nil {} }
            #expect(error?.code == .badPeer && error?.address == "pair:memory", "\(String(describing: error))")
            #expect(channel.identity == nil)
        }
    }

    @Test("a peer that is slow to prove who it is loses its place")
    func slow() throws {
        let world = try TLSWorld()
        let below = ChannelPair()
        let server = try world.end(.server, over: below.second)
        let stream = try ByteStream(server)
        // A byte now and then, as one does who wants to hold many connections for little.
        #expect(try below.first.write([0x16].span) == 1)
        #expect(try stream.readNow() == [])
        world.clock.advance(milliseconds: 19_000)
        try server.recheck()
        #expect(try below.first.write([0x03].span) == 1)
        #expect(try stream.readNow() == [])
        world.clock.advance(milliseconds: 2_000)
        let error = #expect(throws: TransportError.self) { try server.recheck() }
        #expect(error?.code == .timedOut)
        #expect(throws: TransportError.self) { try stream.readNow() }
        #expect(try ByteStream(below.first).readNow() == nil)
    }

    @Test("a stream that is cut without a goodbye is no end")
    func cut() throws {
        let world = try TLSWorld()
        let below = ChannelPair()
        let (client, server) = try world.ends(over: below)
        #expect(try TLSWorld.run(client, server).bytes == [[66], [65]])
        below.first.close()
        let error = #expect(throws: TransportError.self) { try ByteStream(server).readNow() }
        #expect(error?.code == .closed && error?.isRetryable == true)
    }

    @Test("one bit that changes on its way, wherever it is: no byte passes that was not sent")
    func flippedBits() async throws {
        try await blocking {
            let world = try TLSWorld()
            var damaged = 0
            // Some three thousand bytes go each way until both have the other's greeting.
            for position in stride(from: 0, to: 2_400, by: 7) {
                for side in 0...1 {
                    let below = ChannelPair()
                    let first = FlippingChannel(below.first, at: side == 0 ? position : nil, bit: position % 8)
                    let second = FlippingChannel(below.second, at: side == 1 ? position : nil, bit: position % 8)
                    let client = try world.end(.client, over: first)
                    let server = try world.end(.server, over: second)
                    let result = try TLSWorld.run(client, server, rounds: 12)
                    guard first.hasFlipped || second.hasFlipped else {
                        #expect(result.bytes == [[66], [65]])
                        continue
                    }
                    damaged += 1
                    // A length that became greater makes its reader wait for more: until `recheck` loses its patience.
                    #expect(result.bytes[0].allSatisfy { $0 == 66 } && result.bytes[1].allSatisfy { $0 == 65 })
                    for error in result.errors.compactMap({ $0 }) {
                        #expect([.badPeer, .untrusted, .closed].contains(error.code), "\(error)")
                    }
                }
            }
            #expect(damaged > 200, "the handshake is longer than what is tried")
        }
    }
}

/// Changes one bit of what is written.
private final class FlippingChannel: ByteChannel {
    private let below: any ByteChannel
    private let position: Int?
    private let bit: Int
    private let state = Mutex((done: 0, hasFlipped: false))

    init(_ below: any ByteChannel, at position: Int?, bit: Int) {
        self.below = below
        self.position = position
        self.bit = bit
    }

    var hasFlipped: Bool { state.withLock { $0.hasFlipped } }
    var peer: String { below.peer }
    var identity: PeerIdentity? { nil }

    func read(into buffer: inout MutableSpan<UInt8>) throws(TransportError) -> ChannelRead { try below.read(into: &buffer) }

    func write(_ bytes: Span<UInt8>) throws(TransportError) -> Int {
        var copy: [UInt8] = []
        for index in bytes.indices { copy.append(bytes[index]) }
        let done = state.withLock { $0.done }
        let place = position.map { $0 - done }
        if let place, copy.indices.contains(place) { copy[place] ^= 1 << UInt8(bit) }
        let count = try below.write(copy.span)
        state.withLock { state in
            state.done += count
            if let place, (0..<count).contains(place) { state.hasFlipped = true }
        }
        return count
    }

    func readiness(wantsToWrite: Bool) -> ChannelReadiness { below.readiness(wantsToWrite: wantsToWrite) }
    func onChange(_ wake: @escaping @Sendable () -> Void) { below.onChange(wake) }
    func recheck() throws(TransportError) { try below.recheck() }
    func close() { below.close() }
}
