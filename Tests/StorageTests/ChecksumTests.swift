import Storage
import Testing

/// Reference values by `xxhsum` 0.8.1 (`-H3`, `-H2`) over ``patternBytes(_:)``; the lengths are the limits between its methods.
@Suite struct ChecksumTests {
    static let vectors: [(count: Int, narrow: UInt64, wide: String)] = [
        (0, 0x2d06_8005_38d3_94c2, "99aa06d3014798d86001c324468d497f"),
        (1, 0x13e6_08bc_156d_efed, "22bbb76b211a39ba13e608bc156defed"),
        (3, 0xa908_8dda_485b_481c, "ce31763cbf8245a5a9088dda485b481c"),
        (16, 0xb8c8_59b0_f030_b585, "ce0b9647ab24f88460d75c5e47d40a24"),
        (17, 0x714a_0440_8e79_b80f, "bfd327edcc2fbd12eeed7654312a26d7"),
        (128, 0x6742_5a03_6502_61bf, "1b1962a096bac78bc580008b6c92ac53"),
        (129, 0xc664_bf33_11c6_abc4, "293e4968c4619023bd91ce7ace4d385b"),
        (240, 0x6455_6dc6_b462_a6cf, "ad46c1021b076bc704e0b5f034bee80b"),
        (241, 0x8bea_dd3a_8874_fe17, "ac6c3492c3d6b45d8beadd3a8874fe17"),
        (1_000, 0x6c4f_14bd_97bd_9e82, "6bcc7eff62da44c26c4f14bd97bd9e82"),
        (100_000, 0x0c05_6f6f_cc34_0974, "d9e155dd16e141d00c056f6fcc340974"),
    ]

    @Test(arguments: ChecksumTests.vectors.indices) func knownVectors(_ index: Int) {
        let vector = Self.vectors[index]
        let bytes = patternBytes(vector.count)
        #expect(Checksum.xxh3(bytes.span) == vector.narrow)
        #expect(Checksum.xxh3Wide(bytes.span).description == vector.wide)
    }

    @Test func seedsAndPartsDiffer() {
        let bytes = patternBytes(1_000)
        #expect(Checksum.xxh3(bytes.span, seed: 1) != Checksum.xxh3(bytes.span))
        #expect(Checksum.xxh3(bytes.span.extracting(1..<1_000)) == Checksum.xxh3(Array(bytes[1...]).span))
    }

    @Test func everyBitCounts() {
        var bytes = patternBytes(100)
        let whole = Checksum.xxh3(bytes.span)
        for index in bytes.indices {
            for bit in 0..<8 {
                bytes[index] ^= 1 << bit
                #expect(Checksum.xxh3(bytes.span) != whole)
                bytes[index] ^= 1 << bit
            }
        }
        #expect(Checksum.xxh3(bytes.span) == whole)
    }
}
