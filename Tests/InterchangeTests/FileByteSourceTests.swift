import Interchange
import Testing

/// The path of a file in Tests/Fixtures/interchange.
func fixture(_ name: String, here: String = #filePath) -> String {
    let tests = here.split(separator: "/").dropLast(2).joined(separator: "/")
    return "/\(tests)/Fixtures/interchange/\(name)"
}

@Suite struct FileByteSourceTests {
    @Test func readsAFileToItsEnd() throws {
        let source = try FileByteSource(path: fixture("quakes.geojson"))
        var buffer = [UInt8](repeating: 0, count: 100)
        var bytes: [UInt8] = []
        while case let count = try source.read(into: &buffer, at: 10..<77), count > 0 {
            bytes += buffer[10..<10 + count]
        }
        #expect(buffer[..<10].allSatisfy { $0 == 0 })
        #expect(buffer[77...].allSatisfy { $0 == 0 })
        guard case .object(let members) = try parse(bytes) else { return #expect(Bool(false), "no object") }
        #expect(members.map(\.key) == ["type", "metadata", "features", "bbox"])
    }

    @Test func saysWhatCannotBeOpenedOrRead() throws {
        let missing = fixture("missing.json")
        let opening = #expect(throws: JSONError.self) { try FileByteSource(path: missing) }
        #expect(opening?.code == .unreadable)
        #expect(opening?.description == "\(missing): cannot open the file: No such file or directory (errno 2)")

        // A directory opens, but does not read.
        var reader = JSONRecordReader(try FileByteSource(path: fixture("")))
        let reading = #expect(throws: JSONError.self) { try reader.next() }
        #expect(reading?.code == .unreadable)
        #expect(reading?.message.contains("Is a directory") == true)
        #expect(reading?.position?.offset == 0)
    }
}
