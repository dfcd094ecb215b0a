import EventLog
import Storage

// Invariants
// * All bits of a term lie in one block of 64 bytes, which the array aligns to a cache line: a miss costs one line.

/// A blocked Bloom filter (Putze, Sanders, Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", 2007): about ten bits for
/// each term, six of them set.
struct TermFilter: Sendable {
    static let blockSize = 64
    private static let bitsPerTerm = 10
    private static let probes = 6

    private var blocks: [SIMD8<UInt64>]

    /// Room for `count` distinct terms.
    init(count: Int) {
        blocks = Array(repeating: .zero, count: (count * Self.bitsPerTerm + 511) / 512)
    }

    var blockCount: Int { blocks.count }

    /// Where the bits of a term are, in filters of any size.
    struct Probe {
        fileprivate let mixed: UInt64
        fileprivate let mask: SIMD8<UInt64>

        init(_ hash: UInt64) {
            // Mixed, so that poor hashes do no harm.
            mixed = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
            var bits = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
            var mask = SIMD8<UInt64>.zero
            for _ in 0..<TermFilter.probes {
                let bit = bits >> 55
                mask[Int(bit >> 6)] |= 1 << (bit & 63)
                bits <<= 9
            }
            self.mask = mask
        }
    }

    mutating func insert(_ hash: UInt64) {
        guard !blocks.isEmpty else { return }
        let probe = Probe(hash)
        blocks[block(of: probe)] |= probe.mask
    }

    /// False when the term was surely never inserted.
    func mayContain(_ hash: UInt64) -> Bool { mayContain(Probe(hash)) }

    /// ``mayContain(_:)-(UInt64)``, for who asks several filters.
    func mayContain(_ probe: Probe) -> Bool {
        guard !blocks.isEmpty else { return false }
        return blocks[block(of: probe)] & probe.mask == probe.mask
    }

    private func block(of probe: Probe) -> Int { Int(probe.mixed.multipliedFullWidth(by: UInt64(blocks.count)).high) }
}

// The stored form: words, block by block.
extension TermFilter {
    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: blocks.count * Self.blockSize)
        for block in blocks { for word in 0..<8 { writer.u64(block[word]) } }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(StorageError) {
        var reader = ByteReader(bytes)
        let words = try reader.words(bytes.count / 8)
        try reader.expectEnd()
        guard words.count.isMultiple(of: 8) else { throw reader.failure("a filter of \(bytes.count) bytes") }
        blocks = []
        blocks.reserveCapacity(words.count / 8)
        for start in stride(from: 0, to: words.count, by: 8) {
            var block = SIMD8<UInt64>.zero
            for word in 0..<8 { block[word] = words[start + word] }
            blocks.append(block)
        }
    }
}
