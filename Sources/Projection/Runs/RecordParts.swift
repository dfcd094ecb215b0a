import EventLog

/// Puts a record together from the columns of its row.
struct RecordParts {
    private let heads: RowHeads
    private let row: Int
    private let stamps: RowStamps?
    private let own: Stamp
    private var registers: [(property: Property, register: Register)] = []

    init(heads: RowHeads, row: Int, stamps: RowStamps?, capacity: Int) {
        self.heads = heads
        self.row = row
        self.stamps = stamps
        own = Stamp(timestamp: heads.created(row), replica: heads.ids[row].replica)
        registers.reserveCapacity(capacity)
    }

    /// - Parameter number: which property chunk of the block it is. They come ascending by property.
    mutating func add(_ property: Property, _ column: ColumnChunk, _ number: Int) {
        guard let value = column.value(row) else { return }
        let entry = stamps?.entry(column: number, row: row)
        registers.append(
            (property, Register(stamp: entry?.stamp ?? own, isExplicit: entry?.isExplicit ?? false, value: value)))
    }

    func record(entity: WireName?) -> ObjectRecord {
        let length = heads.length(row)
        return ObjectRecord(
            entity: entity, created: heads.created(row), length: length,
            epochs: [(length, Epoch(registers: registers))])
    }
}
