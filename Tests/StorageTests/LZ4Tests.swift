import Storage
import Testing

@Suite struct LZ4Tests {
    @Test(arguments: [64, 1_000, 65_536, 1_000_000]) func roundTrips(_ count: Int) throws {
        let bytes = patternBytes(count)
        let text = (0..<count).map { UInt8(ascii: "a") + UInt8($0 / 7 % 5) }
        for source in [bytes, text, [UInt8](repeating: 0, count: count)] {
            guard let packed = LZ4.compress(source.span) else { continue }
            #expect(packed.count <= source.count - source.count / 8)
            #expect(try LZ4.decompress(packed.span, size: source.count) == source)
        }
        #expect(LZ4.compress([UInt8](repeating: 0, count: count).span) != nil)
    }

    @Test func refusesToCompressInVain() {
        var state: UInt64 = 1
        let noise = (0..<10_000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
        #expect(LZ4.compress(noise.span) == nil)
        #expect(LZ4.compress([UInt8](repeating: 0, count: 63).span) == nil)
    }

    /// The example of the block format: token, literals, offset, and the end rules (five literals at least).
    @Test func decodesABlockWrittenByHand() throws {
        // Three literals "abc", a match of 9 from 3 back, then five literals.
        let block: [UInt8] = [0x35, 0x61, 0x62, 0x63, 3, 0, 0x50, 0x76, 0x77, 0x78, 0x79, 0x7A]
        #expect(try LZ4.decompress(block.span, size: 17) == Array("abcabcabcabcvwxyz".utf8))
    }

    @Test func refusesDamage() throws {
        let source = (0..<2_000).map { UInt8($0 / 10 % 11) }
        let compressed = LZ4.compress(source.span)
        let packed = try #require(compressed)
        #expect(code { _ = try LZ4.decompress(packed.span, size: 1_999) } == .malformed)
        #expect(code { _ = try LZ4.decompress(packed.span, size: 2_001) } == .malformed)
        #expect(code { _ = try LZ4.decompress(packed.span, size: -1) } == .malformed)
        #expect(code { _ = try LZ4.decompress(packed.span, size: 1 << 40) } == .malformed)
        #expect(code { _ = try LZ4.decompress([UInt8]().span, size: 10) } == .malformed)
        for length in 0..<packed.count {
            #expect(code { _ = try LZ4.decompress(packed.span.extracting(0..<length), size: 2_000) } == .malformed)
        }
        // A flipped bit may give other bytes, never a crash, and never another length.
        for index in packed.indices {
            var damaged = packed
            damaged[index] ^= 0xFF
            if let unpacked = try? LZ4.decompress(damaged.span, size: 2_000) { #expect(unpacked.count == 2_000) }
        }
    }
}
