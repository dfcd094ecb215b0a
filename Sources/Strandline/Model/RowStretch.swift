/// Consecutive rows of a block, and where they go among rows of an entity.
struct RowStretch: Hashable, Sendable {
    /// The first one in the block.
    let row: Int32
    /// Where it goes; the others follow one by one.
    let place: Int32
    private(set) var count: Int32

    init(row: Int, place: Int, count: Int) {
        self.row = Int32(row)
        self.place = Int32(place)
        self.count = Int32(count)
    }

    /// Takes in the row after the last one, if that is what it is.
    mutating func extend(row: Int, place: Int) -> Bool {
        guard row == Int(self.row + count), place == Int(self.place + count) else { return false }
        count += 1
        return true
    }
}
