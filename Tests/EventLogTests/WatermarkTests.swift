import EventLog
import Testing

@Suite struct WatermarkTests {
    @Test func survivesItsBytesAndNothingElse() {
        for isClean in [true, false] {
            let mark = Watermark(
                isClean: isClean, counter: 9, end: 1 << 40, lastLSN: 3, group: 4, link: .max, checkpoint: 12_288)
            let bytes = mark.encode(salt: 1)
            #expect(bytes.count == 64)
            #expect(Array(bytes[0..<5]) == [0x57, 0x4D, 0x52, 0x4B, isClean ? 1 : 0])
            #expect(Watermark(bytes, salt: 1) == mark)
            #expect(Watermark(bytes, salt: 2) == nil)
            #expect(Watermark(Array(bytes.dropLast()), salt: 1) == nil)
            for bit in 0..<512 {
                var damaged = bytes
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(Watermark(damaged, salt: 1) == nil, "bit \(bit)")
            }
        }
    }
}
