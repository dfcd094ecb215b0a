/// What a scan did, for those who ask why it took so long.
package struct ScanStatistics: Hashable, Sendable {
    /// Blocks that a scan went through, those passed over included.
    package var blocks = 0
    /// Blocks of which no column was read, because what is known of their columns rules all their rows out.
    package var blocksSkipped = 0
    package var columnsRead = 0
    /// Rows of blocks that were not skipped, and leftover rows.
    package var rowsTested = 0
    /// Rows that were evaluated one by one: leftover ones, and those of blocks where columns alone cannot answer.
    package var rowsOneByOne = 0

    package init() {}

    package static func += (a: inout ScanStatistics, b: ScanStatistics) {
        a.blocks += b.blocks
        a.blocksSkipped += b.blocksSkipped
        a.columnsRead += b.columnsRead
        a.rowsTested += b.rowsTested
        a.rowsOneByOne += b.rowsOneByOne
    }
}
