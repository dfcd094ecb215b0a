import EventLog
import FoundationEssentials
import Storage
import Testing

@Suite struct HistoryTokenTests {
    private let dataset = DatasetID(Digest128(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10))

    private func token(origins: UInt64, lsn: UInt64 = 7) -> HistoryToken {
        let entries = (0..<origins).map {
            VersionVector.Entry(
                origin: ReplicaID(Digest128(high: 5, low: $0)), sequence: 1 + $0 * 300, chain: Digest128(high: $0, low: 1))
        }
        return HistoryToken(
            dataset: dataset, vector: VersionVector(entries), hint: HistoryToken.Hint(log: Digest128(high: 1, low: 1), lsn: lsn)
        )
    }

    /// By hand from SPEC.md, section 7.
    @Test func goldenBytes() throws {
        let entry = VersionVector.Entry(
            origin: ReplicaID(Digest128(high: 0, low: 3)), sequence: 300, chain: Digest128(high: 0, low: 4))
        let token = HistoryToken(
            dataset: dataset, vector: VersionVector([entry]),
            hint: HistoryToken.Hint(log: Digest128(high: 0, low: 2), lsn: 5, link: 6))
        var expected: [UInt8] = [1]
        expected += Array(1...16)  // dataset
        expected += Array(repeating: 0, count: 15) + [2, 5]  // log, LSN
        expected += [6] + Array(repeating: 0, count: 7)  // link
        expected += [1] + Array(repeating: 0, count: 15) + [3]  // one origin
        expected += [0xac, 0x02] + Array(repeating: 0, count: 15) + [4]  // its sequence and chain
        #expect(token.encode().dropLast(8).elementsEqual(expected))
        #expect(token.encode().count == expected.count + 8)
        #expect(token.description.hasPrefix("AQECAwQFBgcICQoLDA0ODxAAAAAAAAAAAAAAAAAAAAACBQY"))
    }

    @Test(arguments: [0, 1, 2, 3, 100, 10_000] as [UInt64])
    func textComesBack(origins: UInt64) throws {
        let token = token(origins: origins)
        let read = try HistoryToken(token.description)
        #expect(read == token)
        #expect(read.hint == token.hint)
        #expect(token.encode().count <= HistoryToken.maximumSize)
        #expect(!token.description.contains { "+/=".contains($0) })
    }

    @Test func codesAsItsText() throws {
        let token = token(origins: 3)
        let json = try JSONEncoder().encode([token])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(token)\"]")
        #expect(try JSONDecoder().decode([HistoryToken].self, from: json) == [token])
    }

    @Test func theHintDoesNotCount() {
        #expect(token(origins: 2, lsn: 1) == token(origins: 2, lsn: 2))
        #expect(token(origins: 2) != token(origins: 3))
    }

    @Test func everyChangedCharacterIsRefused() throws {
        let text = Array(token(origins: 2).description.utf8)
        for position in text.indices {
            for other in ["A", "B", "-", "_", "=", "+", " "] as [Unicode.Scalar] where text[position] != UInt8(ascii: other) {
                var changed = text
                changed[position] = UInt8(ascii: other)
                let error = #expect(throws: LogError.self) { try HistoryToken(String(decoding: changed, as: UTF8.self)) }
                #expect(error?.code == .malformedToken || position < 2 && error?.code == .unsupportedVersion)
            }
        }
    }

    @Test func everyTruncationIsRefused() {
        let text = token(origins: 2).description
        for length in 0..<text.count {
            #expect(throws: LogError.self) { try HistoryToken(text.prefix(length)) }
        }
    }

    @Test func wrongOrderAndSizeAreRefused() {
        func sealed(_ entries: [UInt64]) -> [UInt8] {
            var writer = ByteWriter()
            writer.u8(1)
            writer.zeros(32)
            writer.varint(0)
            writer.u64(0)
            writer.count(entries.count)
            for entry in entries {
                writer.digest(Digest128(high: 0, low: entry))
                writer.varint(entry)
                writer.digest(.zero)
            }
            writer.u64(Checksum.xxh3(writer.bytes.span))
            return writer.bytes
        }
        #expect(throws: Never.self) { try HistoryToken(bytes: sealed([1, 2])) }
        #expect(throws: LogError.self) { try HistoryToken(bytes: sealed([2, 1])) }
        #expect(throws: LogError.self) { try HistoryToken(bytes: sealed([2, 2])) }
        #expect(throws: LogError.self) { try HistoryToken(bytes: sealed([0])) }
        #expect(throws: LogError.self) { try HistoryToken(String(repeating: "A", count: 800_000)) }
    }
}
