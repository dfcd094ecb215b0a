import EventLog
import Testing

@Suite struct SegmentFooterTests {
    @Test func survivesItsBytesAndNothingElse() {
        let footer = SegmentFooter(index: 16_384, end: 20_000, lastLSN: 5, group: 6, link: 7)
        let bytes = footer.encode(salt: 1)
        #expect(bytes.count == 64)
        #expect(String(decoding: bytes[0..<8], as: UTF8.self) == "STRDFTR1")
        #expect(SegmentFooter(bytes, salt: 1) == footer)
        #expect(SegmentFooter(bytes, salt: 2) == nil)
        #expect(SegmentFooter(bytes + [0], salt: 1) == nil)
        for bit in 0..<512 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(SegmentFooter(damaged, salt: 1) == nil, "bit \(bit)")
        }
    }
}
