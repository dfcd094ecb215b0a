import EventLog
import Storage
import Testing

@Suite struct FrameHeaderTests {
    private func header() -> FrameHeader {
        var header = FrameHeader(.part)
        header.flags = [.firstOfGroup, .lastOfGroup]
        header.storedLength = 700
        header.logicalLength = 700
        header.firstLSN = 0x0102_0304_0506_0708
        header.transactions = 3
        header.group = 9
        header.durableLSN = 77
        header.link = 1 << 63
        header.bodyChecksum = 5
        return header
    }

    private func bytes(_ header: FrameHeader, salt: UInt64 = 42) -> ([UInt8], FrameHeader) {
        var header = header
        var writer = ByteWriter()
        header.append(to: &writer, salt: salt)
        return (writer.bytes, header)
    }

    @Test func hasTheBytesOfTheSpecification() {
        let (bytes, header) = bytes(header())
        #expect(bytes.count == 64)
        #expect(Array(bytes[0..<8]) == [0x53, 0x46, 0x52, 0x4D, 2, 0, 3, 0])
        #expect(Array(bytes[16..<24]) == [8, 7, 6, 5, 4, 3, 2, 1])
        #expect(FrameHeader(bytes, at: 0, salt: 42) == header)
        #expect(FrameHeader([0, 0] + bytes, at: 2, salt: 42) == header)
        #expect(FrameHeader(bytes, at: 0, salt: 43) == nil)
        #expect(FrameHeader(bytes, at: 1, salt: 42) == nil)
    }

    @Test func anyFlippedBitInvalidatesIt() {
        let (bytes, _) = bytes(header())
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(FrameHeader(damaged, at: 0, salt: 42) == nil, "bit \(bit)")
        }
    }

    /// Whoever reads on from a header adds to its numbers.
    @Test func numbersThatNoLogReachesAreRefusedThoughTheChecksumIsRight() {
        for change in [{ $0.firstLSN = 1 << 62 }, { $0.firstLSN = .max }, { $0.group = .max }] as [(inout FrameHeader) -> Void]
        {
            var impossible = header()
            change(&impossible)
            #expect(FrameHeader(bytes(impossible).0, at: 0, salt: 42) == nil)
        }
    }

    @Test func lengthsThatCannotBeAreRefusedThoughTheChecksumIsRight() {
        for (kind, stored, logical, isCompressed) in [
            (FrameHeader.Kind.batch, 1, 2, false), (.batch, 3, 2, true), (.batch, 2, 2, true),
            (.batch, 1 << 21, 1 << 21, false),
            (.index, 17 << 20, 17 << 20, false),
        ] as [(FrameHeader.Kind, UInt32, UInt32, Bool)] {
            var header = FrameHeader(kind)
            header.storedLength = stored
            header.logicalLength = logical
            header.isCompressed = isCompressed
            #expect(FrameHeader(bytes(header).0, at: 0, salt: 42) == nil)
        }
        var index = FrameHeader(.index)
        index.storedLength = 1 << 21
        index.logicalLength = 1 << 21
        #expect(FrameHeader(bytes(index).0, at: 0, salt: 42) != nil)
    }
}
