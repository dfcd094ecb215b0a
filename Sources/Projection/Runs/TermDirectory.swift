import Storage

/// Where the terms of a run lie.
struct TermDirectory: Sendable {
    var count = 0
    /// Where the blocks begin; each but the last has ``RunFormat/termsPerBlock``.
    var offset: UInt64 = 0
    /// By block, the first hash and the checksum.
    var firsts: [UInt64] = []
    var checksums: [UInt64] = []
    /// The filter, which lies behind the blocks.
    var filterBlocks = 0
    var filterChecksum: UInt64 = 0

    static let pairSize = 12

    /// Where block `number` lies.
    func place(_ number: Int) -> ChunkPlace {
        let pairs = min(RunFormat.termsPerBlock, count - number * RunFormat.termsPerBlock)
        let size = pairs * Self.pairSize
        return ChunkPlace(
            column: 0, offset: offset + UInt64(number * RunFormat.termsPerBlock * Self.pairSize), storedSize: size, size: size,
            checksum: checksums[number])
    }

    var filterPlace: ChunkPlace {
        let size = filterBlocks * TermFilter.blockSize
        return ChunkPlace(
            column: 0, offset: offset + UInt64(count * Self.pairSize), storedSize: size, size: size, checksum: filterChecksum)
    }
}

// The stored form.
extension TermDirectory {
    func write(to writer: inout ByteWriter) {
        writer.count(count)
        writer.varint(offset)
        for (first, checksum) in zip(firsts, checksums) {
            writer.u64(first)
            writer.u64(checksum)
        }
        writer.count(filterBlocks)
        writer.u64(filterChecksum)
    }

    init(from reader: inout ByteReader) throws(StorageError) {
        let start = reader.position
        let claimed = try reader.size()
        offset = try reader.size()
        count = Int(claimed)
        let blocks = (count + RunFormat.termsPerBlock - 1) / RunFormat.termsPerBlock
        guard blocks <= reader.remaining / 16 else {
            throw .malformed("\(count) terms in a shorter directory", offset: UInt64(start))
        }
        firsts.reserveCapacity(blocks)
        checksums.reserveCapacity(blocks)
        for _ in 0..<blocks {
            firsts.append(try reader.u64())
            checksums.append(try reader.u64())
        }
        filterBlocks = Int(try reader.size())
        // Its size is bounded by the file's: whoever reads it has compared the two.
        guard (filterBlocks == 0) == (count == 0), filterBlocks < 1 << 32 else {
            throw .malformed("a filter of \(filterBlocks) blocks for \(count) terms", offset: UInt64(start))
        }
        filterChecksum = try reader.u64()
    }
}
