import EventLog
import Storage

/// Some of a run's terms: ascending by hash, those of one hash by row.
final class TermBlock: Sendable {
    let hashes: [UInt64]
    let rows: [UInt32]

    init(_ bytes: [UInt8]) throws(StorageError) {
        var reader = ByteReader(bytes)
        let count = bytes.count / TermDirectory.pairSize
        hashes = try reader.words(count)
        var rows: [UInt32] = []
        rows.reserveCapacity(count)
        for _ in 0..<count { rows.append(try reader.u32()) }
        try reader.expectEnd()
        self.rows = rows
    }

    /// Adds the rows that have the term; returns whether the next block may have more of them.
    func collect(_ hash: UInt64, into found: inout [Int]) -> Bool {
        var low = 0
        var high = hashes.count
        while low < high {
            let middle = (low + high) >> 1
            if hashes[middle] < hash { low = middle + 1 } else { high = middle }
        }
        while low < hashes.count, hashes[low] == hash {
            found.append(Int(rows[low]))
            low += 1
        }
        return low == hashes.count
    }

    /// About how much memory it takes.
    var memory: Int { 128 + hashes.count * 12 }
}
