import Storage

// Invariant: `keys` ascend, each once.

/// A set of blobs by the first eight bytes of their ids, eight bytes each in memory and on disk.
///
/// Two blobs of one key are taken for one. So it serves where that costs a question or some room, never where a blob would be lost.
package struct BlobKeys: Sendable, Equatable {
    private var keys: [UInt64] = []

    package init() {}

    package init(_ ids: some Sequence<BlobID>) { insert(ids) }

    package var count: Int { keys.count }
    package var isEmpty: Bool { keys.isEmpty }

    package func contains(_ id: BlobID) -> Bool {
        let place = place(of: id.high.high)
        return place < keys.count && keys[place] == id.high.high
    }

    package mutating func insert(_ ids: some Sequence<BlobID>) {
        let before = keys.count
        for id in ids where !contains(id, in: before) { keys.append(id.high.high) }
        guard keys.count > before else { return }
        keys.sort()
        var last: UInt64?
        keys.removeAll { key in
            defer { last = key }
            return key == last
        }
    }

    package mutating func remove(_ ids: some Sequence<BlobID>) {
        let gone = Set(ids.map(\.high.high))
        guard !gone.isEmpty else { return }
        keys.removeAll { gone.contains($0) }
    }

    package mutating func formUnion(_ other: BlobKeys) {
        guard !other.isEmpty else { return }
        keys = Array(Set(keys).union(other.keys)).sorted()
    }

    /// Keeps at most so many.
    mutating func cut(_ limit: Int) { if keys.count > limit { keys.removeLast(keys.count - limit) } }

    /// Whether it was among the first `limit`, which ascend; those behind them may not.
    private func contains(_ id: BlobID, in limit: Int) -> Bool {
        let place = place(of: id.high.high, in: limit)
        return place < limit && keys[place] == id.high.high
    }

    private func place(of key: UInt64, in limit: Int? = nil) -> Int {
        var (low, high) = (0, limit ?? keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func append(to writer: inout ByteWriter) {
        writer.count(keys.count)
        for key in keys { writer.u64(key) }
    }

    init(from reader: inout ByteReader) throws(StorageError) {
        let count = try reader.count(max: BlobCopies.mostKeys, minimumSize: 8)
        keys.reserveCapacity(count)
        for _ in 0..<count {
            let key = try reader.u64()
            guard keys.last.map({ $0 < key }) ?? true else { throw reader.failure("keys that do not ascend") }
            keys.append(key)
        }
    }
}
