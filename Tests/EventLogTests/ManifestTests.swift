import EventLog
import Storage
import Testing

@Suite struct ManifestTests {
    private let manifest: Manifest

    init() {
        var manifest = Manifest(
            log: Digest128(high: 1, low: 2), generation: 3, firstOrdinal: 4, lastOrdinal: 500,
            ends: [.init(ordinal: 6, end: 12_288), .init(ordinal: 70, end: 1 << 30)])
        manifest.baseline = Digest128(high: 8, low: 9)
        self.manifest = manifest
    }

    @Test func survivesItsBytes() throws {
        let bytes = manifest.encode()
        #expect(String(decoding: bytes[0..<8], as: UTF8.self) == "STRDMAN1")
        let read = try Manifest(bytes, path: "m")
        #expect(read == manifest)
        #expect(read.end(of: 70)?.end == 1 << 30 && read.end(of: 7) == nil)
    }

    @Test func ordinalsThatCannotBeAreFoundThoughTheChecksumIsRight() {
        for (first, last) in [(0, 5), (6, 5), (.max, .max), (1, 1 << 62), (2, 5)] as [(UInt64, UInt64)] {
            let impossible = Manifest(log: manifest.log, firstOrdinal: first, lastOrdinal: last)
            let error = #expect(throws: LogError.self) { try Manifest(impossible.encode(), path: "m") }
            #expect(error?.code == .corrupt && error?.path == "m")
        }
    }

    @Test func damageIsFoundWithTheFile() {
        let bytes = manifest.encode()
        for offset in bytes.indices {
            var damaged = bytes
            damaged[offset] ^= 1 << UInt8(offset % 8)
            let error = #expect(throws: LogError.self) { try Manifest(damaged, path: "m") }
            #expect(error?.code == .corrupt && error?.path == "m")
            #expect(throws: LogError.self) { try Manifest(Array(bytes.prefix(offset)), path: "m") }
        }
    }
}
