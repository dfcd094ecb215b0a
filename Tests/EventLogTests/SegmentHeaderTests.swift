import EventLog
import Storage
import Testing

@Suite struct SegmentHeaderTests {
    private func header() -> SegmentHeader {
        var header = SegmentHeader(
            kind: .segment, dataset: DatasetID(Digest128(high: 1, low: 2)), log: Digest128(high: 3, low: 4), salt: 5)
        header.ordinal = 6
        header.firstLSN = 7
        header.predecessor.ordinal = 5
        header.predecessor.end = 8
        header.predecessor.link = 9
        header.created = 10
        return header
    }

    @Test func survivesItsBytes() throws {
        let bytes = header().encode()
        #expect(bytes.count == 4096)
        #expect(String(decoding: bytes[0..<8], as: UTF8.self) == "STRDSEG1")
        #expect(Array(bytes[56..<64]) == [6, 0, 0, 0, 0, 0, 0, 0])
        #expect(try SegmentHeader(bytes, kind: .segment, path: "s") == header())
    }

    @Test func anyFlippedBitIsFound() {
        let bytes = header().encode()
        for offset in 0..<bytes.count {
            var damaged = bytes
            damaged[offset] ^= 1 << UInt8(offset % 8)
            let error = #expect(throws: LogError.self) { try SegmentHeader(damaged, kind: .segment, path: "s") }
            #expect(error?.code == .corrupt && error?.path == "s")
            #expect(error?.message.contains("restore it from a backup") == true)
        }
    }

    @Test func numbersThatNoLogReachesAreFoundThoughTheChecksumIsRight() {
        for (ordinal, firstLSN) in [(0, 1), (1, 0), (.max, 1), (1, .max), (1 << 62, 1)] as [(UInt64, UInt64)] {
            var impossible = header()
            (impossible.ordinal, impossible.firstLSN) = (ordinal, firstLSN)
            let error = #expect(throws: LogError.self) { try SegmentHeader(impossible.encode(), kind: .segment, path: "s") }
            #expect(error?.code == .corrupt)
        }
    }

    @Test func otherKindsVersionsAndFeaturesAreRefused() throws {
        let bytes = header().encode()
        for (bytes, kind) in [(bytes, .stage), (Array(bytes.dropLast()), .segment)] as [([UInt8], SegmentHeader.Kind)] {
            let error = #expect(throws: LogError.self) { try SegmentHeader(bytes, kind: kind, path: "s") }
            #expect(error?.message.contains("restore it from a backup") == true)
        }
        for (offset, value) in [(8, UInt8(2)), (12, 1)] {
            var newer = Array(bytes.dropLast(16))
            newer[offset] = value
            var writer = ByteWriter()
            writer.raw(newer)
            writer.digest(Checksum.xxh3Wide(newer.span))
            let error = #expect(throws: LogError.self) { try SegmentHeader(writer.bytes, kind: .segment, path: "s") }
            #expect(error?.code == .unsupportedVersion && error?.message.contains("newer version") == true)
        }
    }
}
