import Storage

/// The terms of a run while it is written.
struct TermCollector {
    private var pairs: [TermPair] = []

    mutating func append(_ terms: RunTerms, row: Int) { for hash in terms.hashes { append(hash, row: row) } }

    mutating func append(_ hash: UInt64, row: Int) { pairs.append(TermPair(hash: hash, row: UInt32(row))) }

    /// How many different hashes there are.
    private static func distinct(_ sorted: [TermPair]) -> Int {
        sorted.indices.count { $0 == 0 || sorted[$0].hash != sorted[$0 - 1].hash }
    }

    /// Sorts, writes blocks and filter by `write`, which is given the bytes that come next, and says where they are.
    ///
    /// - Parameter offset: where the first of them will lie.
    func write(
        at offset: UInt64, _ write: ([UInt8]) throws(StorageError) -> Void
    ) throws(StorageError) -> TermDirectory {
        let sorted = Self.sorted(pairs)
        var index = TermIndexWriter(at: offset, expecting: Self.distinct(sorted))
        for pair in sorted { try index.append(pair, write) }
        return try index.finish(write)
    }

    /// Ascending by hash and row, which come ascending by row: distributes by the upper bits, then sorts each small share.
    private static func sorted(_ pairs: [TermPair]) -> [TermPair] {
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
        var result = [TermPair](repeating: TermPair(hash: 0, row: 0), count: pairs.count)
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

    private static func insertionSort(_ pairs: inout [TermPair], _ start: Int, _ end: Int) {
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
