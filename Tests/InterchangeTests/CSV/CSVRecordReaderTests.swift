import Interchange
import Testing

@Suite struct CSVRecordReaderTests {
    /// The rows of a text that arrives in pieces of so many bytes, each as a list of its fields; nil for null.
    private func rows(_ bytes: [UInt8], pieces: Int) throws -> [[String?]] {
        var reader = CSVRecordReader(MemoryByteSource(bytes, pieces: { _ in pieces }))
        var rows: [[String?]] = []
        while let record = try reader.next() {
            #expect(record.number == rows.count + 1)
            rows.append(record.members.map { if case .string(let text) = $0.value { text } else { nil } })
        }
        return rows
    }

    private func rows(_ text: String) throws -> [[String?]] {
        let whole = try rows(Array(text.utf8), pieces: 1 << 20)
        for pieces in [1, 2, 3, 7] { #expect(try rows(Array(text.utf8), pieces: pieces) == whole) }
        return whole
    }

    private func error(_ text: String) throws -> JSONError {
        try #require(#expect(throws: JSONError.self) { try rows(Array(text.utf8), pieces: 5) })
    }

    @Test func fieldsAreAsTheStandardSays() throws {
        #expect(try rows("a,b\n1,2\n3,4\n") == [["1", "2"], ["3", "4"]])
        #expect(try rows("a,b\r\n1,2\r\n3,4") == [["1", "2"], ["3", "4"]])
        #expect(try rows("\u{FEFF}a,b\n1,\n,2\n\"\",\n") == [["1", nil], [nil, "2"], ["", nil]])
        #expect(try rows("a,b\n\"x,y\",\"line\r\nbreak \"\"here\"\"\"\n") == [["x,y", "line\r\nbreak \"here\""]])
        #expect(try rows("a,b\n\n1,2\n\r\n") == [["1", "2"]])
        #expect(try rows("\"a b\",\"c\"\"d\"\n é , 日本 \n") == [[" é ", " 日本 "]])
        #expect(try rows("a\n\"\"\n1\n") == [[""], ["1"]])
        #expect(try rows("a,b\n").isEmpty)
    }

    @Test func whatIsWrongIsSaidWithItsPlace() throws {
        #expect(try error("").code == .shape)
        let few = try error("a,b\n1,2\n3\n")
        #expect(few.code == .shape && few.record == 2 && few.position?.line == 3 && few.message.contains("1 fields"))
        #expect(try error("a,b\n1,2,3\n").message.contains("3 fields"))
        #expect(try error("a,a\n1,2\n").code == .duplicateKey)
        #expect(try error("a,,c\n1,2,3\n").message.contains("column 2 has no name"))
        let open = try error("a,b\n1,\"two\nthree\n")
        #expect(open.code == .syntax && open.position?.line == 2)
        let within = try error("a,b\n1,tw\"o\n")
        #expect(within.code == .syntax && within.position == JSONError.Position(line: 2, column: 5, offset: 8))
        #expect(try error("a,b\n\"1\"x,2\n").message.contains("behind a quotation mark"))
        #expect(try error("a,b\r1,2\r").message.contains("carriage return"))
        var bytes = Array("a,b\n1,".utf8)
        bytes += [0xC3, 0x28, 0x0A]
        let encoding = #expect(throws: JSONError.self) { try rows(bytes, pieces: 3) }
        #expect(encoding?.code == .encoding)
        for start in [[0xFF, 0xFE, 0x61], [0x1F, 0x8B, 0x08]] as [[UInt8]] {
            #expect(#expect(throws: JSONError.self) { try rows(start, pieces: 9) }?.code == .encoding)
        }
    }

    /// What the export writes is read as it was.
    @Test(arguments: 0..<60 as Range<UInt64>) func whatIsWrittenIsRead(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let texts = [
            "", "a", ",", "\"", "\n", "\r\n", "é,\"x\"", "日本", " ", "\"\"", "1", "true", "\u{FEFF}",
            String(repeating: "long ", count: 30_000),
        ]
        let width = Int(random.next() % 5) + 2
        var bytes = CSVRecord((0..<width).map { .plain("c\($0)") }).line
        var expected: [[String?]] = []
        for _ in 0..<20 {
            let fields = (0..<width).map { _ -> CSVRecord.Field in
                let text = texts[Int(random.next() % UInt64(texts.count))]
                return random.next() % 4 == 0 ? .empty : .text(text)
            }
            bytes += CSVRecord(fields).line
            expected.append(fields.map { if case .text(let text) = $0 { text } else { nil } })
        }
        #expect(try rows(bytes, pieces: Int(random.next() % 100) + 1) == expected)
    }
}
