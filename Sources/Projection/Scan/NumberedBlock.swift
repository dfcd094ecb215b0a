/// A block with its place among those of a scan, which looks at them in an order of its own.
struct NumberedBlock<Block: ScanBlock & Sendable>: Sendable {
    let number: Int
    let block: Block

    static func all(of blocks: [Block]) -> [NumberedBlock] {
        blocks.enumerated().map { NumberedBlock(number: $0.offset, block: $0.element) }
    }
}
