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

    /// The marks of a block as ``ScanBlock/excluded`` has them; nil for none.
    package func words(ofBlock block: Int) -> [UInt64]? {
        block < words.count && !words[block].isEmpty ? words[block] : nil
    }
}
