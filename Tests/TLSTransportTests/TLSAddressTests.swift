import TLSTransport
import Testing
import Transports

@Suite("TLSAddress")
struct TLSAddressTests {
    @Test("hosts, ports and devices")
    func good() throws {
        let device = try #require(DeviceID(bytes: [UInt8](repeating: 7, count: 32)))
        #expect(try TLSAddress(parsing: "tls://example.org:7878") == TLSAddress(host: "example.org", port: 7_878))
        #expect(try TLSAddress(parsing: "tls://[::1]:1") == TLSAddress(host: "::1", port: 1))
        let named = TLSAddress(host: "::1", port: 1, device: device)
        #expect(try TLSAddress(parsing: named.description) == named)
        #expect(named.description == "tls://\(device)@[::1]:1")
    }

    @Test("what is wrong is said", arguments: ["example.org:1", "tls://example.org", "tls://ABC@example.org:1"])
    func bad(text: String) {
        let error = #expect(throws: TransportError.self) { try TLSAddress(parsing: text) }
        #expect(error?.code == .badAddress && error?.message.contains(text) == true)
    }
}
