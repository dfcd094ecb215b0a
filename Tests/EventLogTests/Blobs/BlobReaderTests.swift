import EventLog
import Storage
import Testing

@Suite struct BlobReaderTests {
    @Test func readsAnyRange() throws {
        let store = BlobFixture.store(try BlobFixture.disk())
        let bytes = BlobFixture.content(600_000)
        let reader = try store.open(try store.write(bytes).id)
        #expect(reader.length == 600_000)
        for (offset, count) in [(0, 10), (524_280, 16), (599_990, 10), (599_990, 100), (600_000, 5), (700_000, 5)] {
            var buffer = [UInt8](repeating: 0, count: count)
            var span = buffer.mutableSpan
            let read = try reader.read(into: &span, at: UInt64(offset))
            #expect(Array(buffer[..<read]) == Array(bytes.dropFirst(offset).prefix(count)))
        }
        var lengths: [Int] = []
        try reader.forEachChunk { lengths.append($0.count) }
        #expect(lengths == [524_288, 75_712])
        reader.close()
        #expect(throws: LogError.self) { try reader.verify() }
    }

    @Test func anEmptyBufferIsNotTheEnd() throws {
        let store = BlobFixture.store(try BlobFixture.disk())
        var stream = try store.open(try store.write(BlobFixture.content(70_000)).id).stream(verified: true)
        var buffer = [UInt8](repeating: 0, count: 50_000)
        for expected in [0, 50_000, 0, 20_000, 0] {
            var span = buffer.mutableSpan
            var front = span._mutatingExtracting(..<(expected == 0 ? 0 : 50_000))
            #expect(try stream.read(into: &front) == expected)
        }
        var span = buffer.mutableSpan
        #expect(try stream.read(into: &span) == 0)
    }
}
