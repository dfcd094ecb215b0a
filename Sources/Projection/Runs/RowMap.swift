// Invariants
// * A block that was copied whole has `.block`; of one that was copied row by row, `.rows` has a number for each of its rows.

/// Where the rows of a run went in another one that it was merged into.
struct RowMap {
    private enum Target {
        case nowhere
        case block(Int)
        case rows([UInt32])
    }

    private static let none = UInt32.max
    private var targets: [Target]

    /// - Parameter blocks: how many blocks the run has.
    init(blocks: Int) { targets = Array(repeating: .nowhere, count: blocks) }

    subscript(row: Int) -> UInt32? {
        let place = row & (RunFormat.blockRows - 1)
        switch targets[row >> RunFormat.rowShift] {
        case .nowhere: return nil
        case .block(let block): return UInt32(block << RunFormat.rowShift | place)
        case .rows(let rows): return rows[place] == Self.none ? nil : rows[place]
        }
    }

    mutating func setBlock(_ block: Int, to target: Int) { targets[block] = .block(target) }

    /// - Parameter count: how many rows the block of `row` has.
    mutating func set(_ row: Int, to target: Int, of count: Int) {
        let block = row >> RunFormat.rowShift
        var rows: [UInt32]
        if case .rows(let held) = targets[block] { rows = held } else { rows = Array(repeating: Self.none, count: count) }
        // So that the array is changed in its place.
        targets[block] = .nowhere
        rows[row & (RunFormat.blockRows - 1)] = UInt32(target)
        targets[block] = .rows(rows)
    }
}
