import Simulation
import Storage
import TLSTransport
import TransportContract
import Transports

/// Two devices that trust each other, in memory.
struct TLSWorld: Sendable {
    let files: Environment
    let clock = SimulatedClock()
    let (server, client): (DeviceIdentity, DeviceIdentity)
    let (serverTrusts, clientTrusts): (TrustList, TrustList)

    init(mutual: Bool = true) throws {
        files = Environment.inMemory()
        server = try DeviceIdentity.open(in: "/server", environment: files)
        client = try DeviceIdentity.open(in: "/client", environment: files)
        serverTrusts = TrustList(in: "/server", environment: files)
        clientTrusts = TrustList(in: "/client", environment: files)
        if mutual {
            try serverTrusts.trust(client.id, name: "client")
            try clientTrusts.trust(server.id, name: "server")
        }
    }

    /// TLS as the contract suite sees it.
    static let adapter = ContractAdapter("tls", rounds: 30) {
        let world = try TLSWorld()
        let listener = try world.listener()
        let near = try world.transport(to: listener).connect()
        return ConnectedPair(near: near, far: try TLSWorld.accept(from: listener)) { listener.close() }
    }

    func listener() throws -> TLSListener {
        try TLSListener(host: "127.0.0.1", port: 0, identity: server, trusting: serverTrusts, clock: clock)
    }

    func transport(to listener: TLSListener, expecting device: DeviceID? = nil) -> TLSTransport {
        TLSTransport(
            host: "127.0.0.1", port: listener.port, identity: client, trusting: clientTrusts, expecting: device, clock: clock)
    }

    /// Both ends over channels of the caller's.
    func ends(over below: ChannelPair) throws -> (client: TLSChannel, server: TLSChannel) {
        (try end(.client, over: below.first), try end(.server, over: below.second))
    }

    func end(
        _ role: TLSContext.Role, over below: any ByteChannel, identity: DeviceIdentity?? = nil,
        version: TLSContext.Version = .present
    ) throws -> TLSChannel {
        let own = role == .client ? client : server
        let check = PeerCheck(address: below.peer, trusting: role == .client ? clientTrusts : serverTrusts)
        let context = try TLSContext(role, identity: identity ?? own, check: check, version: version)
        return try TLSChannel(over: below, context, own: own.id, clock: clock)
    }

    /// Waits for somebody to connect.
    static func accept(from listener: any ChannelListener) throws -> any ByteChannel {
        let poller = try Poller()
        while true {
            if let channel = try listener.accept() { return channel }
            _ = try poller.wait(listener.interest.map { [$0] } ?? [], nanoseconds: nil)
        }
    }

    /// Reads and writes at both ends of a real connection until each has had a byte of the other's, or an error.
    static func meet(
        _ first: any ByteChannel, _ second: any ByteChannel
    ) throws -> (errors: [TransportError?], bytes: [[UInt8]]) {
        let streams = [try ByteStream(first), try ByteStream(second)]
        var errors: [TransportError?] = [nil, nil]
        var bytes: [[UInt8]] = [[], []]
        var isSent = [false, false]
        while true {
            var hasMoved = false
            for side in 0...1 where errors[side] == nil {
                do throws(TransportError) {
                    if !isSent[side], try streams[side].writeNow([UInt8(65 + side)]) == 1 {
                        (isSent[side], hasMoved) = (true, true)
                    }
                    let more = try streams[side].readNow() ?? []
                    bytes[side] += more
                    hasMoved = hasMoved || !more.isEmpty
                } catch {
                    (errors[side], hasMoved) = (error, true)
                }
            }
            let waiting = (0...1).filter { errors[$0] == nil && (bytes[$0].isEmpty || !isSent[$0]) }
            if waiting.isEmpty { return (errors, bytes) }
            if !hasMoved { try ByteStream.wait(for: waiting.map { (streams[$0], !isSent[$0]) }) }
        }
    }

    /// Reads and writes at both ends until neither can do more; the error that ended each, and the bytes that each got.
    static func run(
        _ first: any ByteChannel, _ second: any ByteChannel, rounds: Int = 50
    ) throws -> (errors: [TransportError?], bytes: [[UInt8]]) {
        let streams = [try ByteStream(first), try ByteStream(second)]
        var errors: [TransportError?] = [nil, nil]
        var bytes: [[UInt8]] = [[], []]
        var isSent = [false, false]
        for _ in 0..<rounds {
            for side in 0...1 where errors[side] == nil {
                do throws(TransportError) {
                    if !isSent[side] { isSent[side] = try streams[side].writeNow([UInt8(65 + side)]) == 1 }
                    bytes[side] += try streams[side].readNow() ?? []
                } catch {
                    errors[side] = error
                }
            }
        }
        return (errors, bytes)
    }
}
