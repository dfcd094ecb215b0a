import EventLog
import Storage

// Invariants
// * Codes are those of `StampTable`; none is above `entries.count`. `codes[c]` is empty where all of column c are 0.

/// Which writes the registers of a block come from, where it is not the one that made the object.
final class RowStamps: Sendable {
    let entries: [StampTable.Entry]
    let codes: [[UInt32]]

    /// - Parameters:
    ///   - count: rows of the block.
    ///   - columns: property chunks of the block.
    init(from reader: inout ByteReader, count: Int, columns: Int) throws(StorageError) {
        var ids: [ReplicaID] = []
        for _ in 0..<(try reader.count(max: reader.remaining, minimumSize: 16)) { ids.append(ReplicaID(try reader.digest())) }
        // A table has at most one entry for each register.
        let many = try reader.count(max: count * columns, minimumSize: 0)
        let timestamps = try reader.ints(many)
        let limit = ids.count
        let numbers = try reader.smallInts(many, "a replica number", where: { $0 < limit })
        let explicit = try reader.bits(many)
        var entries: [StampTable.Entry] = []
        entries.reserveCapacity(many)
        for entry in 0..<many {
            let timestamp = Timestamp(rawValue: UInt64(bitPattern: timestamps[entry]))
            entries.append(
                StampTable.Entry(
                    stamp: Stamp(timestamp: timestamp, replica: ids[Int(numbers[entry])]),
                    isExplicit: explicit[entry >> 6] >> UInt64(entry & 63) & 1 != 0))
        }
        var codes = [[UInt32]](repeating: [], count: columns)
        for _ in 0..<(try reader.count(max: columns, minimumSize: 3)) {
            let column = try reader.count(max: columns - 1, minimumSize: 0)
            codes[column] = try reader.smallInts(count, "a stamp's number", where: { $0 <= UInt32(many) })
        }
        try reader.expectEnd()
        self.entries = entries
        self.codes = codes
    }

    /// The write that a register comes from; nil for the one that made the object.
    func entry(column: Int, row: Int) -> StampTable.Entry? {
        guard !codes[column].isEmpty, codes[column][row] > 0 else { return nil }
        return entries[Int(codes[column][row]) - 1]
    }

    /// About how much memory it takes.
    var memory: Int {
        128 + entries.count * MemoryLayout<StampTable.Entry>.stride + codes.reduce(0) { $0 + 32 + $1.count * 4 }
    }
}
