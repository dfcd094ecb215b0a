import Testing
import Transports

@Suite("HostAddress")
struct HostAddressTests {
    @Test(
        "reads hosts and ports, and prints them alike",
        arguments: [
            ("example.org:7878", "example.org", 7878), ("192.0.2.1:0", "192.0.2.1", 0),
            ("[2001:db8::1]:65535", "2001:db8::1", 65_535), (":7878", "", 7878),
        ])
    func good(text: String, host: String, port: Int) throws {
        let address = try HostAddress(parsing: text, address: "tls://\(text)")
        #expect(address == HostAddress(host: host, port: port) && address.description == text)
    }

    @Test(
        "says what is wrong",
        arguments: [
            "example.org", "a:", "a:65536", "a:-1", "a:+1", "a: 1", "::1:7878", "[::1:7878", "[::1]7878", "a:\u{663}",
        ])
    func bad(text: String) {
        let error = #expect(throws: TransportError.self) { try HostAddress(parsing: text, address: "tls://\(text)") }
        #expect(error?.code == .badAddress && error?.message.contains("tls://\(text)") == true)
    }
}
