import EventLog
import Storage

// Invariants
// * Code 0 is the write that made the object: its creation time, its own origin, no update. Code n is `entries[n - 1]`.

/// Numbers the stamps of a block's registers while it is built.
struct StampTable {
    struct Entry: Hashable, Sendable {
        let stamp: Stamp
        let isExplicit: Bool
    }

    private(set) var entries: [Entry] = []
    private var codes: [Entry: UInt32] = [:]
    private var last: UInt32 = 0

    mutating func code(of stamp: Stamp, isExplicit: Bool, created: Timestamp, origin: ReplicaID) -> UInt32 {
        if !isExplicit, stamp.timestamp == created, stamp.replica == origin { return 0 }
        let entry = Entry(stamp: stamp, isExplicit: isExplicit)
        if last > 0, entries[Int(last) - 1] == entry { return last }
        if let code = codes[entry] {
            last = code
        } else {
            entries.append(entry)
            last = UInt32(entries.count)
            codes[entry] = last
        }
        return last
    }

    mutating func removeAll() {
        guard !entries.isEmpty else { return }
        entries.removeAll(keepingCapacity: true)
        codes.removeAll(keepingCapacity: true)
        last = 0
    }

    /// - Parameter columns: the codes of each property chunk of the block; empty where all are 0.
    func write(_ columns: [[UInt32]], to writer: inout ByteWriter) { Self.write(entries, columns, to: &writer) }

    static func write(_ entries: [Entry], _ columns: [[UInt32]], to writer: inout ByteWriter) {
        var replicas: [ReplicaID: Int64] = [:]
        var ids: [ReplicaID] = []
        let numbers = entries.map { entry in
            if let number = replicas[entry.stamp.replica] { return number }
            let number = Int64(ids.count)
            replicas[entry.stamp.replica] = number
            ids.append(entry.stamp.replica)
            return number
        }
        writer.count(ids.count)
        for id in ids { writer.digest(id.bits) }
        writer.count(entries.count)
        writer.ints(entries.map { Int64(bitPattern: $0.stamp.timestamp.rawValue) })
        writer.ints(numbers)
        writer.bits(entries.count) { entries[$0].isExplicit }
        writer.count(columns.count { !$0.isEmpty })
        for (column, codes) in columns.enumerated() where !codes.isEmpty {
            writer.count(column)
            writer.ints(codes.map { Int64($0) })
        }
    }
}
