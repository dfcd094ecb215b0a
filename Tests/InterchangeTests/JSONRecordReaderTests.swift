import Interchange
import Testing

@Suite struct JSONRecordReaderTests {
    /// Each record as `number@line: text`.
    private func lines(_ records: [JSONRecord]) -> [String] {
        records.map { "\($0.number)@\($0.line): \($0.value.text)" }
    }

    @Test func readsEveryShape() throws {
        let expected = [#"1@1: {"a":1}"#, #"2@2: {"a":2,"b":[{"c":[]}]}"#, "3@4: {}"]
        let array = "[{\"a\":1},\n{\"a\":2,\"b\":[{\"c\":[]}]},\n\n{}]\n"
        let perLine = "{\"a\":1}\n{\"a\":2,\"b\":[{\"c\":[]}]}\r\n  \r\n{}"
        let adjacent = "\u{FEFF}{\"a\":1}\n{\"a\":2,\"b\":[{\"c\":[]}]}\n\n{} \n\n"
        for text in [array, perLine, adjacent] {
            #expect(lines(try records(text)) == expected, "\(text)")
        }
        #expect(lines(try records("{}{\"a\":1} {}")) == ["1@1: {}", "2@1: {\"a\":1}", "3@1: {}"])
        #expect(lines(try records("\n {\n \"a\":\n1 }")) == ["1@2: {\"a\":1}"])
        #expect(try records("[]") == [])
        #expect(try records(" [ ]\n") == [])
        #expect(lines(try records(#"[{"a":{"features":[]}}]"#)) == [#"1@1: {"a":{"features":[]}}"#])
    }

    @Test func placesRecords() throws {
        let all = try records("[{\"é\":1}, {\"a\":2},\n  {\"a\":3}]")
        #expect(all.map(\.position.column) == [2, 11, 3])
        #expect(all.map(\.position.offset) == [1, 11, 22])
    }

    @Test func readsCollectionsWhicheverMemberComesFirst() throws {
        let features = #""features":[{"type":"Feature","properties":{"n":1},"geometry":null},{"type":"Feature"}]"#
        let type = #""type":"FeatureCollection""#
        let others = #""x":{"features":[1,2]},"y":[[]]"#
        let expected = [#"1@1: {"n":1}"#, "2@1: {}"]
        let orders = [
            [type, others, features], [others, type, features], [features, type, others], [others, features, type],
        ]
        for members in orders {
            #expect(lines(try records("{\(members.joined(separator: ","))}")) == expected, "\(members)")
        }
        // Without features, before and after the type is known; and two collections in a row.
        #expect(try records(#"{"type":"FeatureCollection","features":[],"x":1}"#) == [])
        #expect(try records(#"{"features":[],"type":"FeatureCollection"}"#) == [])
        let both = "{\(type),\(features)}\n{\(features),\(type)}"
        #expect(lines(try records(both)) == expected + [#"3@2: {"n":1}"#, "4@2: {}"])
    }

    @Test func anObjectWithAListOfFeaturesIsNoCollection() throws {
        for text in [
            #"{"name":"phone","features":["5G",{"type":"x"}],"price":1}"#, #"{"features":[],"price":1}"#,
            #"{"type":"phone","features":[{"a":1}]}"#, #"{"type":"FeatureCollections","features":{}}"#,
        ] {
            #expect(lines(try records(text)) == ["1@1: \(text)"])
        }
    }

    @Test func explainsWhatIsNoRecord() {
        let shapes = "expected an array of objects, an object per line, or a FeatureCollection"
        let cases: [(text: String, description: String)] = [
            ("", "memory:1:1 (byte 0): the file is empty: \(shapes)"),
            (" \n", "memory:2:1 (byte 2): the file is empty: \(shapes)"),
            ("42", "memory:1:1 (byte 0): \(shapes), found '4'"),
            ("[{},\n 1]", "memory:2:2 (byte 6, record 2): a record must be an object, but this one is a number"),
            ("[[{}]]", "memory:1:2 (byte 1, record 1): a record must be an object, but this one is an array"),
            ("[{}] x", "memory:1:6 (byte 5): expected the end of the text after the value, found 'x'"),
            ("[{}]{}", "memory:1:5 (byte 4): expected the end of the text after the value, found '{'"),
            ("[{},]", "memory:1:5 (byte 4): the comma before this ']' is one too many: JSON allows no trailing comma"),
            ("[{}", "memory:1:4 (byte 3): expected ',' or ']' after an element, found the end of the text"),
            ("{}\n[]", "memory:2:1 (byte 3): expected '{' or the end of the text after a record, found '['"),
            ("{},{}", "memory:1:3 (byte 2): expected '{' or the end of the text after a record, found ','"),
            (
                "{\"a\":1}\n{\"a\":1,\n{\"a\":2}",
                "memory:3:1 (byte 16, record 2): expected a key in double quotes after ',', found '{'"
            ),
            ("{\"a\":1}\n{\"a\"", "memory:2:5 (byte 12, record 2): expected ':' after a key, found the end of the text"),
            (
                #"{"type":"FeatureCollection"}"#,
                "memory:1:1 (byte 0, record 1): the FeatureCollection has no array of features"
            ),
            (
                #"{"features":[1],"type":"FeatureCollection"}"#,
                "memory:1:1 (byte 0, record 1): the FeatureCollection has something else than features among its features"
            ),
            (
                #"{"type":"FeatureCollection","features":[],"features":[]}"#,
                #"memory:1:43 (byte 42): the key "features" stands twice in one object"#
            ),
            (
                #"{"type":"FeatureCollection","features":[] x"#,
                "memory:1:43 (byte 42): expected ',' or '}' after a member, found 'x'"
            ),
            (
                #"{"type":"FeatureCollection","features":[]}x"#,
                "memory:1:43 (byte 42): expected '{' or the end of the text after a record, found 'x'"
            ),
            (
                #"{"type":"FeatureCollection","features":[{"type":"Feature"}, {"type":"Point"}]}"#,
                #"memory:1:61 (byte 60, record 2): expected a feature here: an object whose type is "Feature""#
            ),
            (
                #"{"type":"FeatureCollection","features":[7]}"#,
                #"memory:1:41 (byte 40, record 1): expected a feature here: an object whose type is "Feature""#
            ),
        ]
        for (text, description) in cases {
            let error = #expect(throws: JSONError.self, "\(text)") { try records(text) }
            #expect(error?.description == description)
        }
    }

    @Test func readsTheSameWhereverTheBytesAreCut() throws {
        let text = """
            {"é":1,"type":"FeatureCollections","features":[{"a":"\\u00e9"},1.5e3]}
            {"features":[{"type":"Feature","properties":{"n":-1},"geometry":{"type":"Point","coordinates":[1,2]}}],"z":"🌊"}
            {"type":"FeatureCollection","features":[{"type":"Feature","id":"é"}, 🌊
            """
        let bytes = Array(text.utf8)
        func readOn(_ pieces: @escaping (Int) -> Int) -> [String] {
            var reader = JSONRecordReader(MemoryByteSource(bytes, pieces: pieces))
            var seen: [String] = []
            do throws(JSONError) {
                while let record = try reader.next() { seen.append("\(record.position) \(record.value.text)") }
            } catch {
                seen.append("\(error)")
            }
            return seen
        }
        let whole = readOn { _ in .max }
        #expect(whole.count == 4)
        #expect(whole.last == "memory:3:70 (byte \(bytes.count - 4), record 4): expected a value, found '🌊'")
        #expect(readOn { _ in 1 } == whole)
        for cut in 1..<bytes.count {
            #expect(readOn { $0 < cut ? cut - $0 : .max } == whole, "cut at \(cut)")
        }
    }

    @Test(arguments: 1...4) func survivesDamageAndReadsItTheSameInPieces(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let file = MemoryByteSink()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let source = try FileByteSource(path: fixture("quakes.geojson"))
        while case let count = try source.read(into: &buffer, at: 0..<buffer.count), count > 0 {
            file.write(Array(buffer[..<count]))
        }
        var refused = 0
        for _ in 0..<400 {
            var bytes = file.bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] = Array("{}[]\",:\\u0-.e\n".utf8).randomElement(using: &random) ?? 0
                case 2: bytes.remove(at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { break }
            }
            let whole = outcome { () throws(JSONError) in try records(bytes) }
            let piece = Int.random(in: 1...40, using: &random)
            #expect(outcome { () throws(JSONError) in try records(bytes, pieces: { _ in piece }) } == whole)
            if whole.contains(": memory:") { refused += 1 }
        }
        #expect(refused > 200 && refused < 400)
    }

    @Test func readsManyRecordsAcrossWindows() throws {
        let all = (1...9_000).map { #"{"number":\#($0),"text":"\#(String(repeating: "é", count: $0 % 40))"}"# }
        let array = try records("[" + all.joined(separator: ",\n") + "]")
        let perLine = try records(all.joined(separator: "\n"))
        #expect(array.map(\.value.text) == all)
        #expect(perLine.map(\.value.text) == all)
        #expect(array.map(\.line) == Array(1...9_000))
        #expect(perLine.map(\.number) == Array(1...9_000))
    }
}
