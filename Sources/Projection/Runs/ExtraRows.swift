import Storage

// Invariants
// * `rows` ascends; record i lies in `bytes` up to `ends[i]`, from `ends[i - 1]` or `start`.

/// The rows of a block that columns cannot say all of, with their whole records.
final class ExtraRows: Sendable {
    private let rows: [Int32]
    private let ends: [Int]
    private let start: Int
    private let bytes: [UInt8]

    init(from reader: inout ByteReader, count: Int) throws(StorageError) {
        let many = try reader.count(max: count, minimumSize: 2)
        var rows: [Int32] = []
        var sizes: [Int] = []
        rows.reserveCapacity(many)
        sizes.reserveCapacity(many)
        var next = 0
        for _ in 0..<many {
            let row = next + (try reader.count(max: max(0, count - next), minimumSize: 0))
            guard row < count else { throw reader.failure("a record of row \(row) of \(count)") }
            rows.append(Int32(row))
            sizes.append(try reader.count(max: reader.remaining))
            next = row + 1
        }
        start = reader.position
        var end = reader.position
        ends = sizes.map { size in
            end &+= size
            return end
        }
        guard end == reader.end else { throw reader.failure("records of \(end &- start) bytes") }
        bytes = reader.bytes
        self.rows = rows
    }

    /// The whole record of a row; nil for a row that its columns say all of.
    func record(_ row: Int) throws(StorageError) -> ObjectRecord? {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) >> 1
            if Int(rows[middle]) < row { low = middle + 1 } else { high = middle }
        }
        guard low < rows.count, Int(rows[low]) == row else { return nil }
        var reader = ByteReader(bytes, (low == 0 ? start : ends[low - 1])..<ends[low])
        let record = try reader.record()
        try reader.expectEnd()
        return record
    }

    /// About how much memory it takes.
    var memory: Int { 128 + bytes.count + rows.count * 12 }
}
