import Storage

/// The terms of a run while it is written.
struct TermCollector {
    struct Pair {
        var hash: UInt64
        var row: UInt32
    }

    private var pairs: [Pair] = []

    mutating func append(_ terms: RunTerms, row: Int) {
        for hash in terms.hashes { pairs.append(Pair(hash: hash, row: UInt32(row))) }
    }

    /// Sorts, writes blocks and filter by `write`, which is given the bytes that come next, and says where they are.
    ///
    /// - Parameter offset: where the first of them will lie.
    func write(
        at offset: UInt64, _ write: ([UInt8]) throws(StorageError) -> Void
    ) throws(StorageError) -> TermDirectory {
        var directory = TermDirectory()
        let sorted = Self.sorted(pairs)
        guard !sorted.isEmpty else { return directory }
        directory.count = sorted.count
        directory.offset = offset
        for start in stride(from: 0, to: sorted.count, by: RunFormat.termsPerBlock) {
            let end = min(start + RunFormat.termsPerBlock, sorted.count)
            var writer = ByteWriter(capacity: (end - start) * TermDirectory.pairSize)
            for pair in sorted[start..<end] { writer.u64(pair.hash) }
            for pair in sorted[start..<end] { writer.u32(pair.row) }
            directory.firsts.append(sorted[start].hash)
            directory.checksums.append(Checksum.xxh3(writer.bytes.span))
            try write(writer.bytes)
        }
        let filter = Self.filter(sorted)
        let bytes = filter.bytes
        directory.filterBlocks = filter.blockCount
        directory.filterChecksum = Checksum.xxh3(bytes.span)
        try write(bytes)
        return directory
    }

    private static func filter(_ sorted: [Pair]) -> TermFilter {
        var distinct = 0
        for index in sorted.indices where index == 0 || sorted[index].hash != sorted[index - 1].hash { distinct += 1 }
        var filter = TermFilter(count: distinct)
        for index in sorted.indices where index == 0 || sorted[index].hash != sorted[index - 1].hash {
            filter.insert(sorted[index].hash)
        }
        return filter
    }

    /// Ascending by hash and row, which come ascending by row: distributes by the upper bits, then sorts each small share.
    private static func sorted(_ pairs: [Pair]) -> [Pair] {
        guard pairs.count > 1 else { return pairs }
        let bits = max(1, UInt64.bitWidth - (pairs.count / 8).leadingZeroBitCount)
        let shift = UInt64(64 - bits)
        var ends = [Int](repeating: 0, count: 1 << bits)
        for pair in pairs { ends[Int(pair.hash >> shift)] += 1 }
        var sum = 0
        for share in ends.indices {
            let count = ends[share]
            ends[share] = sum
            sum += count
        }
        var result = [Pair](repeating: Pair(hash: 0, row: 0), count: pairs.count)
        for pair in pairs {
            let share = Int(pair.hash >> shift)
            result[ends[share]] = pair
            ends[share] += 1
        }
        var start = 0
        for end in ends {
            if end - start > 64 {
                result[start..<end].sort { ($0.hash, $0.row) < ($1.hash, $1.row) }
            } else if end - start > 1 {
                insertionSort(&result, start, end)
            }
            start = end
        }
        return result
    }

    private static func insertionSort(_ pairs: inout [Pair], _ start: Int, _ end: Int) {
        for index in (start + 1)..<end {
            let pair = pairs[index]
            var place = index
            // Rows ascend already, and equal hashes keep their order.
            while place > start, pairs[place - 1].hash > pair.hash {
                pairs[place] = pairs[place - 1]
                place -= 1
            }
            pairs[place] = pair
        }
    }
}
