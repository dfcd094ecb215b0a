import EventLog
import Storage

// Invariants
// * Ids ascend. A stretch begins where an id does not follow its predecessor: same transaction, next index.
// * `starts` ascends from 0; row `starts[i] + k` of stretch i has the index `firsts[i].index + k`.

/// The ids of a block; those of one bulk insert take next to nothing.
struct IDStretches: Sendable, Equatable {
    private(set) var count = 0
    private var firsts: [ObjectID] = []
    private var starts: [Int32] = []
    private var last: ObjectID?

    mutating func append(_ id: ObjectID) {
        if let last, last.sequence == id.sequence, last.replica == id.replica, last.index &+ 1 == id.index {
        } else {
            firsts.append(id)
            starts.append(Int32(count))
        }
        last = id
        count += 1
    }

    mutating func removeAll() {
        count = 0
        firsts.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        last = nil
    }

    subscript(row: Int) -> ObjectID {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) >> 1
            if Int(starts[middle]) <= row { low = middle } else { high = middle }
        }
        let first = firsts[low]
        return ObjectID(
            replica: first.replica, sequence: first.sequence, index: first.index &+ UInt32(row - Int(starts[low])))
    }

    /// Which row has the id.
    func row(of id: ObjectID) -> Int? {
        var low = 0
        var high = firsts.count
        while low < high {
            let middle = (low + high) >> 1
            if firsts[middle] <= id { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let first = firsts[low - 1]
        guard first.replica == id.replica, first.sequence == id.sequence else { return nil }
        let row = Int(starts[low - 1]) + Int(id.index - first.index)
        return row < (low < starts.count ? Int(starts[low]) : count) ? row : nil
    }

    var all: [ObjectID] {
        var ids: [ObjectID] = []
        ids.reserveCapacity(count)
        for (stretch, first) in firsts.enumerated() {
            let end = stretch + 1 < starts.count ? Int(starts[stretch + 1]) : count
            for row in 0..<(end - Int(starts[stretch])) {
                ids.append(
                    ObjectID(replica: first.replica, sequence: first.sequence, index: first.index &+ UInt32(row)))
            }
        }
        return ids
    }

    /// About how much memory it takes.
    var memory: Int { firsts.count * MemoryLayout<ObjectID>.stride + starts.count * 4 }
}

// The stored form: stretches as differences from the one before.
extension IDStretches {
    func write(to writer: inout ByteWriter) {
        writer.count(firsts.count)
        var before: ObjectID?
        for (stretch, first) in firsts.enumerated() {
            let end = stretch + 1 < starts.count ? Int(starts[stretch + 1]) : count
            let isSame = before?.replica == first.replica
            writer.count((end - Int(starts[stretch])) << 1 | (isSame ? 1 : 0))
            if !isSame { writer.digest(first.replica.bits) }
            writer.varint(first.sequence &- (isSame ? before?.sequence ?? 0 : 0))
            writer.varint(UInt64(first.index))
            before = first
        }
    }

    init(from reader: inout ByteReader, count: Int) throws(StorageError) {
        let stretches = try reader.count(max: count, minimumSize: 3)
        firsts.reserveCapacity(stretches)
        starts.reserveCapacity(stretches)
        for _ in 0..<stretches {
            let start = reader.position
            let head = try reader.varint()
            let length = head >> 1
            let isSame = head & 1 != 0
            guard length > 0, length <= UInt64(count - self.count), !isSame || !firsts.isEmpty else {
                throw .malformed("a stretch of \(length) ids", offset: UInt64(start))
            }
            let replica = isSame ? firsts[firsts.count - 1].replica : ReplicaID(try reader.digest())
            let sequence = (isSame ? firsts[firsts.count - 1].sequence : 0) &+ (try reader.varint())
            let first = ObjectID(replica: replica, sequence: sequence, index: try reader.small("an index"))
            let room = UInt64(UInt32.max - first.index)
            guard last.map({ $0 < first }) ?? true, length - 1 <= room else {
                throw .malformed("ids out of order", offset: UInt64(start))
            }
            firsts.append(first)
            starts.append(Int32(self.count))
            self.count += Int(length)
            last = ObjectID(replica: replica, sequence: sequence, index: first.index + UInt32(length - 1))
        }
        guard self.count == count else { throw reader.failure("\(self.count) ids for \(count) rows") }
    }
}
