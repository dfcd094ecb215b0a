import Simulation
import TLSTransport
import Testing

@Suite("DeviceID")
struct DeviceIDTests {
    private func id(_ seed: UInt64) throws -> DeviceID {
        var random = SplitMix64(seed: seed)
        return try #require(DeviceID(bytes: (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
    }

    private func message(_ text: String) -> String? {
        do {
            _ = try DeviceID(parsing: text)
            return nil
        } catch {
            return error.code == .badDeviceID ? error.message : nil
        }
    }

    @Test("the text of an id, and back, however it is typed")
    func roundTrip() throws {
        #expect(try #require(DeviceID(bytes: [UInt8](repeating: 0, count: 32))).description.hasPrefix("00005-"))
        #expect(DeviceID(bytes: []) == nil)
        for seed in 0..<200 {
            let id = try id(UInt64(seed))
            let text = id.description
            #expect(text.utf8.count == 77 && text.split(separator: "-").map(\.count) == [Int](repeating: 5, count: 13))
            #expect(try DeviceID(parsing: text) == id)
            let typed = text.lowercased().replacing("-", with: seed % 2 == 0 ? "" : " ").replacing("0", with: "o")
                .replacing("1", with: seed % 3 == 0 ? "l" : "I")
            #expect(try DeviceID(parsing: "  \(typed)\n") == id)
            #expect(DeviceID(text) == id)
        }
    }

    @Test("each character mistyped, each two that changed places: the group is named")
    func mistakes() throws {
        let text = Array(try id(5).description)
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        for index in text.indices where text[index] != "-" {
            let group = index / 6 + 1
            for other in alphabet where other != text[index] {
                var wrong = text
                wrong[index] = other
                #expect(message(String(wrong))?.contains("group \(group) of") == true, "\(String(wrong))")
            }
            guard index + 1 < text.count, text[index + 1] != "-", text[index + 1] != text[index] else { continue }
            var swapped = text
            swapped.swapAt(index, index + 1)
            #expect(message(String(swapped))?.contains("group \(group) of") == true)
        }
        var groups = String(text).split(separator: "-")
        groups.swapAt(3, 7)
        #expect(message(groups.joined(separator: "-"))?.contains("group 4 of") == true)
    }

    @Test("what is too short, too long, or of other characters")
    func shapes() throws {
        let groups = try id(9).description.split(separator: "-").map(String.init)
        #expect(message("")?.contains("0 characters") == true)
        #expect(message(groups.dropLast().joined(separator: "-"))?.contains("60 characters, not 65 in 13 groups") == true)
        var short = groups
        short[6].removeLast()
        #expect(message(short.joined(separator: "-"))?.contains("group 7") == true)
        var strange = groups
        strange[2] = "AB!DE"
        #expect(message(strange.joined(separator: "-"))?.contains("group 3") == true)
        strange[2] = "ABUDE"
        #expect(message(strange.joined(separator: "-"))?.contains("the character U") == true)
    }
}
