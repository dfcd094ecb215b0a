import Interchange
import Testing

@Suite struct JSONWriterTests {
    @Test func escapesAndFormats() {
        let cases: [(value: JSONValue, text: String)] = [
            (.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
            (.integer(.min), "-9223372036854775808"), (.integer(0), "0"),
            (.number(1), "1.0"), (.number(-0.0), "-0.0"), (.number(0.1), "0.1"), (.number(1e300), "1e+300"),
            (.number(.nan), "null"), (.number(.infinity), "null"), (.number(-.infinity), "null"),
            (.string(""), #""""#), (.string("a\"b\\c/é🌊\u{7F}"), "\"a\\\"b\\\\c/é🌊\u{7F}\""),
            (.string("\u{8}\t\n\u{C}\r\0\u{1}\u{1F}"), #""\b\t\n\f\r\u0000\u0001\u001f""#),
            (.array([]), "[]"), (.object([]), "{}"),
            (.array([.null, .array([.integer(1)]), .object([JSONMember("k\n", .string("v"))])]), #"[null,[1],{"k\n":"v"}]"#),
        ]
        for (value, text) in cases { #expect(value.text == text) }
    }

    @Test func sortsKeysOnlyWhenAsked() throws {
        let value = try parse(#"{"b":{"d":1,"c":2},"a":[{"z":1,"y":2}]}"#)
        func written(sortedKeys: Bool) throws(JSONError) -> String {
            let sink = MemoryByteSink()
            var writer = JSONWriter(sink, sortedKeys: sortedKeys)
            try writer.write(value)
            try writer.finish()
            return sink.text
        }
        #expect(try written(sortedKeys: false) == "{\"b\":{\"d\":1,\"c\":2},\"a\":[{\"z\":1,\"y\":2}]}\n")
        #expect(try written(sortedKeys: true) == "{\"a\":[{\"y\":2,\"z\":1}],\"b\":{\"c\":2,\"d\":1}}\n")
    }

    @Test func streamsArraysAndLines() throws {
        let sink = MemoryByteSink()
        var writer = JSONWriter(sink)
        writer.beginArray()
        writer.endArray()
        writer.beginArray()
        try writer.append(.integer(1))
        try writer.append(.object([]))
        writer.endArray()
        try writer.write(.null)
        try writer.finish()
        #expect(sink.text == "[]\n[\n1,\n{}\n]\nnull\n")
    }

    @Test func flushesBeforeTheEnd() throws {
        let sink = MemoryByteSink()
        var writer = JSONWriter(sink)
        writer.beginArray()
        let element = JSONValue.string(String(repeating: "x", count: 1_000))
        var most = 0
        for count in 1...1_000 {
            try writer.append(element)
            most = max(most, count * 1_004 + 1 - sink.bytes.count)
        }
        #expect(most < 66_000)
        writer.endArray()
        try writer.finish()
        #expect(try parse(sink.bytes) == .array(Array(repeating: element, count: 1_000)))
    }

    @Test func flushesBetweenLines() throws {
        let sink = MemoryByteSink()
        var writer = JSONWriter(sink)
        let line = JSONValue.string(String(repeating: "x", count: 1_000))
        for _ in 1...100 { try writer.write(line) }
        #expect(sink.bytes.count > 100 * 1_003 - 66_000)
        try writer.finish()
        #expect(sink.text == String(repeating: "\(line.text)\n", count: 100))
    }

    @Test func saysWhatCannotBeWritten() throws {
        var writer = JSONWriter(FileByteSink(descriptor: -1, name: "nowhere"))
        try writer.write(.null)
        let error = #expect(throws: JSONError.self) { try writer.finish() }
        #expect(error?.code == .unwritable)
        #expect(error?.description == "nowhere: cannot write on: Bad file descriptor (errno 9)")
    }

    @Test(arguments: 1...8) func whatItWritesReadsBack(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let sink = MemoryByteSink()
        var writer = JSONWriter(sink)
        writer.beginArray()
        var values: [JSONValue] = []
        for _ in 0..<400 {
            let value = Self.value(depth: 4, &random)
            values.append(value)
            try writer.append(value)
        }
        writer.endArray()
        try writer.finish()
        let bytes = sink.bytes
        let piece = Int.random(in: 1...500, using: &random)
        let read = try parse(bytes, pieces: { _ in piece })
        #expect(read == .array(values))
        // Strings compare equal across normalisations and 0.0 equals -0.0, so compare the bytes as well.
        #expect(Array(read.text.utf8) == Array(JSONValue.array(values).text.utf8))
    }

    private static func value(depth: Int, _ random: inout SplitMix) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random))
        case 3:
            let number = Double(bitPattern: random.next())
            return .number(number.isFinite ? number : -0.0)
        case 4: return .number(Double(Int64.random(in: -99_999...99_999, using: &random)) / 100)
        case 5: return .string(string(&random))
        case 6: return .array((0..<Int.random(in: 0...5, using: &random)).map { _ in value(depth: depth - 1, &random) })
        default:
            var members: [JSONMember] = []
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let key = Bool.random(using: &random) ? "k\(members.count)" : string(&random)
                if members.value(of: key) == nil { members.append(JSONMember(key, value(depth: depth - 1, &random))) }
            }
            return .object(members)
        }
    }

    private static func string(_ random: inout SplitMix) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x80...0x7FF, 0x800...0xD7FF, 0x10000...0x10FFFF,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...24, using: &random) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }
}
