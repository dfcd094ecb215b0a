import Storage

// Invariants
// * `ends` ascends strictly; `values[i]` holds for the rows from `ends[i - 1]` (0 for the first) up to `ends[i]`.

/// Numbers of rows that seldom change from one row to the next.
struct Steps: Sendable, Equatable {
    private var ends: [Int32] = []
    private var values: [UInt64] = []

    var count: Int { Int(ends.last ?? 0) }

    mutating func append(_ value: UInt64, count: Int = 1) {
        if let last = values.last, last == value {
            ends[ends.count - 1] += Int32(count)
        } else {
            ends.append((ends.last ?? 0) + Int32(count))
            values.append(value)
        }
    }

    mutating func removeAll() {
        ends.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
    }

    subscript(row: Int) -> UInt64 {
        if values.count == 1 { return values[0] }
        var low = 0
        var high = ends.count
        while low < high {
            let middle = (low + high) >> 1
            if Int(ends[middle]) <= row { low = middle + 1 } else { high = middle }
        }
        return values[low]
    }

    /// About how much memory it takes.
    var memory: Int { ends.count * 12 }
}

// The stored form: how often each, and the difference from the one before.
extension Steps {
    func write(to writer: inout ByteWriter) {
        writer.count(values.count)
        var end: Int32 = 0
        var before: UInt64 = 0
        for (step, value) in values.enumerated() {
            writer.count(Int(ends[step] - end))
            writer.zigzag(Int64(bitPattern: value &- before))
            end = ends[step]
            before = value
        }
    }

    init(from reader: inout ByteReader, count: Int) throws(StorageError) {
        let steps = try reader.count(max: count, minimumSize: 2)
        ends.reserveCapacity(steps)
        values.reserveCapacity(steps)
        var end = 0
        var value: UInt64 = 0
        for _ in 0..<steps {
            let rows = try reader.count(max: count - end, minimumSize: 0)
            guard rows > 0 else { throw reader.failure("a step of no rows") }
            end += rows
            value &+= UInt64(bitPattern: try reader.zigzag())
            ends.append(Int32(end))
            values.append(value)
        }
        guard end == count else { throw reader.failure("numbers for \(end) of \(count) rows") }
    }
}
