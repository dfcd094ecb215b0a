import Foundation
import Simulation
import Storage
import TLSTransport
import Testing
import TransportContract
import Transports

@Suite("TLSListener")
struct TLSListenerTests {
    @Test("those who never prove who they are keep nobody waiting")
    func slowLoris() async throws {
        try await blocking {
            let world = try TLSWorld()
            let listener = try world.listener()
            defer { listener.close() }
            let place = HostAddress(host: "127.0.0.1", port: listener.port)
            var idle: [(near: any ByteChannel, far: any ByteChannel)] = []
            for _ in 0..<20 { idle.append((try TCPTransport(place).connect(), try TLSWorld.accept(from: listener))) }
            let near = try world.transport(to: listener).connect()
            let result = try TLSWorld.meet(near, try TLSWorld.accept(from: listener))
            #expect(result.bytes == [[66], [65]])
            world.clock.advance(milliseconds: 21_000)
            for visitor in idle {
                let error = #expect(throws: TransportError.self) { try visitor.far.recheck() }
                #expect(error?.code == .timedOut)
                #expect(visitor.far.peer.hasPrefix("tls://127.0.0.1:"))
                visitor.near.close()
            }
            try near.recheck()
        }
    }

    @Test("plain bytes at the port of TLS are refused")
    func plain() async throws {
        try await blocking {
            let world = try TLSWorld()
            let listener = try world.listener()
            defer { listener.close() }
            let near = try ByteStream(try TCPTransport(HostAddress(host: "127.0.0.1", port: listener.port)).connect())
            try near.write(Array("hello, is anybody there?".utf8))
            let far = try ByteStream(try TLSWorld.accept(from: listener))
            let error = #expect(throws: TransportError.self) { while try far.read() != nil {} }
            #expect(error?.code == .badPeer)
            // An alert of TLS, at most, and the end.
            #expect(try near.readAll().count < 20)
        }
    }

    @Test(
        "another program's TLS client is refused",
        arguments: ["-tls1_2", "-tls1_3", "-tls1_3 -alpn strandline/1", "-tls1_3 -alpn http/1.1"])
    func openssl(options: String) async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") else { return }
        try await blocking {
            let world = try TLSWorld()
            let listener = try world.listener()
            defer { listener.close() }
            let command = "exec /usr/bin/openssl s_client -connect 127.0.0.1:\(listener.port) \(options) 2>&1"
            let program = try ExecTransport(command: command).connect()
            defer { program.close() }
            let far = try ByteStream(try TLSWorld.accept(from: listener))
            let error = #expect(throws: TransportError.self) { while try far.read() != nil {} }
            #expect(error?.code == .badPeer, "\(String(describing: error))")
            #expect(far.channel.identity == nil)
        }
    }

    /// An independent program proves that our key file, our ids and our handshake are what they say.
    @Test("another program that holds a trusted device's key is that device, whatever its certificate says")
    func interoperates() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") else { return }
        try await blocking {
            let folder = "/tmp/strandline-\(Digest128.hex(SystemRandom().next()))"
            defer { try? POSIXFileSystem().removeTree(folder) }
            let device = try DeviceIdentity.open(in: folder)
            let world = try TLSWorld()
            try world.serverTrusts.trust(device.id)
            let listener = try world.listener()
            defer { listener.close() }
            // Expired before it was made.
            let certify =
                "cd \(folder) && openssl req -new -key device.key -subj /CN=other -out request 2>/dev/null"
                + " && openssl x509 -req -in request -signkey device.key -days -1 -out certificate 2>/dev/null"
            let connect =
                "exec openssl s_client -connect 127.0.0.1:\(listener.port) -tls1_3 -quiet -key device.key"
                + " -cert certificate 2>&1"
            let program = try ExecTransport(command: "\(certify) && \(connect) -alpn strandline/1").connect()
            let near = try ByteStream(program)
            let far = try ByteStream(try TLSWorld.accept(from: listener))
            try near.write(Array("hello\n".utf8))
            #expect(try far.readAll(upTo: 6) == Array("hello\n".utf8))
            #expect(far.channel.identity == .device(device.id.description))
            try far.write(Array("answer".utf8))
            var answer = ""
            while !answer.contains("answer"), let bytes = try near.read() { answer += String(decoding: bytes, as: UTF8.self) }
            #expect(answer.contains("answer"))
            program.close()

            let other = try ExecTransport(command: "cd \(folder) && \(connect)").connect()
            let refused = try ByteStream(try TLSWorld.accept(from: listener))
            let error = #expect(throws: TransportError.self) { while try refused.read() != nil {} }
            #expect(error?.code == .badPeer && error?.message.contains("strandline/1") == true)
            other.close()
        }
    }
}
