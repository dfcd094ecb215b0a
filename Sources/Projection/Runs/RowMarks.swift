import Storage

// Invariants
// * `words[b]` is empty while block b has no mark; else it has one bit for each row a block may have.

/// Marked rows of one run, by row number: those that a newer version elsewhere supersedes.
///
/// A copy shares the bits of all blocks that neither side changes.
package struct RowMarks: Sendable, Hashable {
    private var words: [[UInt64]] = []
    /// How many rows are marked.
    package private(set) var count = 0

    package init() {}

    package func contains(_ row: Int) -> Bool {
        let block = row >> RunFormat.rowShift
        guard block < words.count, !words[block].isEmpty else { return false }
        let place = row & (RunFormat.blockRows - 1)
        return words[block][place >> 6] >> UInt64(place & 63) & 1 != 0
    }

    /// Returns false when the row was marked before.
    @discardableResult
    package mutating func insert(_ row: Int) -> Bool {
        guard !contains(row) else { return false }
        let block = row >> RunFormat.rowShift
        while words.count <= block { words.append([]) }
        if words[block].isEmpty { words[block] = Array(repeating: 0, count: RunFormat.blockRows >> 6) }
        let place = row & (RunFormat.blockRows - 1)
        words[block][place >> 6] |= 1 << UInt64(place & 63)
        count += 1
        return true
    }

    /// Marks the first `count` rows of a block.
    mutating func insertAll(of block: Int, _ count: Int) {
        for row in 0..<count { insert(block << RunFormat.rowShift | row) }
    }

    /// Takes over the marks of a block, as those of one that has none yet.
    mutating func copy(_ block: Int, of other: RowMarks, to target: Int) {
        guard let marks = other.words(ofBlock: block) else { return }
        while words.count <= target { words.append([]) }
        words[target] = marks
        count += marks.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// The marks of a block as ``ScanBlock/excluded`` has them; nil for none.
    package func words(ofBlock block: Int) -> [UInt64]? {
        block < words.count && !words[block].isEmpty ? words[block] : nil
    }
}

extension RowMarks {
    func write(to writer: inout ByteWriter) {
        writer.count(words.count)
        for block in words {
            writer.u8(block.isEmpty ? 0 : 1)
            for word in block { writer.u64(word) }
        }
    }

    /// Reads what ``write(to:)`` gives.
    init(from reader: inout ByteReader) throws(StorageError) {
        self.init()
        let blocks = try reader.count(max: RunFormat.maximumBlocks)
        words.reserveCapacity(blocks)
        for _ in 0..<blocks {
            guard try reader.u8() != 0 else {
                words.append([])
                continue
            }
            var block: [UInt64] = []
            block.reserveCapacity(RunFormat.blockRows >> 6)
            for _ in 0..<(RunFormat.blockRows >> 6) { block.append(try reader.u64()) }
            count += block.reduce(0) { $0 + $1.nonzeroBitCount }
            words.append(block)
        }
    }
}
