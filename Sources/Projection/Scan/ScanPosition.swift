/// Where a scan found an object: a row of one of its blocks, or one of the rows beside them.
package struct ScanPosition: Hashable, Sendable {
    /// Which of ``ScanSource/blocks``; negative for none.
    private let number: Int32
    private let place: UInt32

    /// A row of a block.
    package init(block: Int, row: Int) {
        number = Int32(block)
        place = UInt32(row)
    }

    /// One of ``ScanSource/rows``.
    package init(beside row: Int) {
        number = -1
        place = UInt32(row)
    }

    /// Which of ``ScanSource/blocks``; nil for one of ``ScanSource/rows``.
    package var block: Int? { number < 0 ? nil : Int(number) }

    /// The row of the block, or of ``ScanSource/rows``.
    package var row: Int { Int(place) }
}
