import Storage
import Testing

@Suite struct ByteWriterTests {
    @Test func patchesWhatWasWritten() {
        var writer = ByteWriter(capacity: 32)
        writer.zeros(13)
        writer.patch(u32: 0x0403_0201, at: 1)
        writer.patch(u64: 0x0807_0605_0403_0201, at: 5)
        #expect(writer.bytes == [0, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test func padsToTheNextMultiple() {
        for count in 0..<20 {
            var writer = ByteWriter()
            writer.raw(patternBytes(count))
            writer.pad(to: 8)
            #expect(writer.count == (count + 7) / 8 * 8)
            #expect(Array(writer.bytes.prefix(count)) == patternBytes(count))
            #expect(writer.bytes.dropFirst(count).allSatisfy { $0 == 0 })
        }
    }
}
