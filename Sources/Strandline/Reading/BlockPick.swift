import Projection

/// The rows of one block that were found, and where among all that were found they go.
struct BlockPick: Sendable {
    let block: RunBlock
    private(set) var stretches: [RowStretch]

    /// What was found in blocks, block by block.
    static func all(of positions: [ScanPosition], among blocks: [RunBlock]) -> [BlockPick] {
        var picks = blocks.map { BlockPick(block: $0, stretches: []) }
        for (place, position) in positions.enumerated() {
            if let block = position.block { picks[block].add(position.row, at: place) }
        }
        return picks.filter { !$0.stretches.isEmpty }
    }

    private mutating func add(_ row: Int, at place: Int) {
        if !stretches.isEmpty, stretches[stretches.count - 1].extend(row: row, place: place) { return }
        stretches.append(RowStretch(row: row, place: place, count: 1))
    }

    /// Where the rows go.
    var places: some Sequence<Int> {
        stretches.lazy.flatMap { stretch in (0..<Int(stretch.count)).lazy.map { Int(stretch.place) + $0 } }
    }
}
