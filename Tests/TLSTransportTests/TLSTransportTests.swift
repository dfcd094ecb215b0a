import Foundation
import Simulation
import TLSTransport
import Testing
import TransportContract
import Transports

@Suite("TLSTransport")
struct TLSTransportTests {
    @Test("another device than the one that was asked for is refused")
    func expected() async throws {
        try await blocking {
            let world = try TLSWorld()
            let listener = try world.listener()
            defer { listener.close() }
            let wanted = try world.transport(to: listener, expecting: world.server.id).connect()
            let met = try TLSWorld.meet(wanted, try TLSWorld.accept(from: listener))
            #expect(met.bytes == [[66], [65]])
            let wrong = try world.transport(to: listener, expecting: world.client.id).connect()
            let result = try TLSWorld.meet(wrong, try TLSWorld.accept(from: listener))
            let error = result.errors[0]
            #expect(result.bytes == [[], []])
            #expect(error?.code == .untrusted && error?.address == listener.address)
            #expect(error?.message.contains(world.server.id.description) == true)
            #expect(error?.message.contains(world.client.id.description) == true)
        }
    }

    @Test("the address of a listener is that of its transport, and errors have it")
    func addresses() async throws {
        try await blocking {
            let world = try TLSWorld()
            let listener = try world.listener()
            let transport = world.transport(to: listener)
            #expect(transport.address == listener.address && listener.address == "tls://127.0.0.1:\(listener.port)")
            listener.close()
            let channel = try transport.connect()
            let error = #expect(throws: TransportError.self) { while try ByteStream(channel).read() != nil {} }
            #expect(error?.code == .refused && error?.address == transport.address)
        }
    }

    @Test("an untrusted client is told so over a real connection, though it wrote much")
    func toldWhy() async throws {
        try await blocking {
            let world = try TLSWorld(mutual: false)
            try world.clientTrusts.trust(world.server.id)
            let listener = try world.listener()
            defer { listener.close() }
            let near = try ByteStream(try world.transport(to: listener).connect())
            let far = try ByteStream(try TLSWorld.accept(from: listener))
            let chunk = [UInt8](repeating: 1, count: 100_000)
            var errors: [TransportError?] = [nil, nil]
            while errors.contains(where: { $0 == nil }) {
                do throws(TransportError) {
                    if errors[0] == nil { _ = (try near.writeNow(chunk), try near.readNow()) }
                } catch { errors[0] = error }
                do throws(TransportError) {
                    if errors[1] == nil, try far.readNow() != [] { throw TransportError(.failed, address: "", "bytes passed") }
                } catch { errors[1] = error }
            }
            #expect(errors[1]?.code == .untrusted)
            // What the server said may be lost with a connection that was cut while it was written to.
            #expect(errors[0]?.code == .untrusted || errors[0]?.code == .closed, "\(String(describing: errors[0]))")
        }
    }
}
