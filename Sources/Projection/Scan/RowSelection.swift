// Invariants
// * `words` has ⌈rowCount / 64⌉ words; row i is bit i % 64 of word i / 64; bits from `rowCount` on are zero.

/// Which rows of a block are meant: one bit each.
package struct RowSelection: Hashable, Sendable {
    package private(set) var words: [UInt64]
    package let rowCount: Int

    /// All rows but those of a bitmap of the same layout.
    package init(allOf rowCount: Int, except excluded: [UInt64]? = nil) {
        self.init(words: [UInt64](repeating: .max, count: (rowCount + 63) / 64), rowCount: rowCount)
        if let excluded { subtract(excluded) }
    }

    package init(noneOf rowCount: Int) {
        words = [UInt64](repeating: 0, count: (rowCount + 63) / 64)
        self.rowCount = rowCount
    }

    /// Bits past the last row are dropped.
    init(words: [UInt64], rowCount: Int) {
        precondition(words.count == (rowCount + 63) / 64, "a selection needs a bit for each row")
        self.words = words
        self.rowCount = rowCount
        if rowCount % 64 != 0 { self.words[words.count - 1] &= (1 << UInt64(rowCount % 64)) - 1 }
    }

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    package subscript(row: Int) -> Bool { words[row / 64] >> UInt64(row % 64) & 1 != 0 }

    package mutating func insert(_ row: Int) { words[row / 64] |= 1 << UInt64(row % 64) }

    package mutating func formIntersection(_ other: RowSelection) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    package mutating func formUnion(_ other: RowSelection) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    package mutating func subtract(_ other: RowSelection) { subtract(other.words) }

    private mutating func subtract(_ other: [UInt64]) {
        for index in words.indices.prefix(other.count) { words[index] &= ~other[index] }
    }

    /// Calls `body` with each row, ascending.
    @inline(__always)
    package func eachRow(_ body: (Int) throws -> Void) rethrows {
        for (index, word) in words.enumerated() {
            if word == .max {
                for row in index * 64..<index * 64 + 64 { try body(row) }
                continue
            }
            var rest = word
            while rest != 0 {
                try body(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }

    /// The rows among these for which a condition holds.
    @inline(__always)
    func filter(_ holds: (Int) throws -> Bool) rethrows -> RowSelection {
        var result = RowSelection(noneOf: rowCount)
        try eachRow { if try holds($0) { result.insert($0) } }
        return result
    }
}
