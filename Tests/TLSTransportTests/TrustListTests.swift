import Simulation
import Storage
import TLSTransport
import Testing

@Suite("TrustList")
struct TrustListTests {
    private let environment = Environment(
        fileSystem: InMemoryFileSystem(), clock: SimulatedClock(now: 1_000), random: SeededRandom(seed: 1),
        host: Environment.inMemory().host)

    private func id(_ byte: UInt8) throws -> DeviceID { try #require(DeviceID(bytes: [UInt8](repeating: byte, count: 32))) }

    @Test("trust, rename, list and untrust, seen by every process")
    func life() throws {
        let here = TrustList(in: "/device", environment: environment)
        let there = TrustList(in: "/device", environment: environment)
        #expect(try here.devices() == [] && !here.contains(id(1)))
        #expect(try here.trust(id(1), name: "  Anna's   laptop "))
        #expect(try there.trust(id(2)))
        #expect(try !there.trust(id(1), name: "Anna's phone"))
        let expected = [
            TrustedDevice(id: try id(1), name: "Anna's phone", addedAt: 1_000),
            TrustedDevice(id: try id(2), name: "", addedAt: 1_000),
        ]
        #expect(try here.devices() == expected && there.devices() == expected)
        #expect(try TrustList(in: "/device", environment: environment).contains(id(2)))
        #expect(try here.untrust(id(1)) && !here.untrust(id(1)))
        #expect(try !there.contains(id(1)) && there.contains(id(2)))
    }

    @Test("names are one line", arguments: ["a\nb", "a\u{7}", "a\u{2028}b", String(repeating: "a", count: 101)])
    func names(name: String) throws {
        let list = TrustList(in: "/device", environment: environment)
        let error = #expect(throws: DeviceError.self) { try list.trust(id(1), name: name) }
        #expect(error?.code == .badName)
        #expect(try list.devices().isEmpty)
    }

    @Test("a line that is no device trusts nobody, and is named")
    func damaged() throws {
        let list = TrustList(in: "/device", environment: environment)
        try list.trust(id(1))
        try list.trust(id(2), name: "two")
        let bytes = try environment.fileSystem.readWhole("/device/trusted-devices", limit: 4_096)
        var text = String(decoding: bytes, as: UTF8.self)
        text = text.replacing("1000 two", with: "soon two")
        try environment.fileSystem.replace("/device/trusted-devices", with: Array(text.utf8))
        let error = #expect(throws: DeviceError.self) { try list.contains(id(1)) }
        #expect(error?.code == .damagedTrustList && error?.message.contains("line 3 of /device/trusted-devices") == true)
        #expect(throws: DeviceError.self) { try list.trust(id(3)) }
        // People may write to it: comments and empty lines are theirs.
        try environment.fileSystem.replace("/device/trusted-devices", with: Array("\n# mine\n\(try id(2)) 5 a  b\n".utf8))
        #expect(try list.devices() == [TrustedDevice(id: try id(2), name: "a  b", addedAt: 5)])
    }
}
