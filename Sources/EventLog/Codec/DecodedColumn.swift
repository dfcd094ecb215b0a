package import Storage

// Invariants
// * The arrays have an entry for each row; what it holds in a row that is null means nothing.
// * `values` is `.nulls` when, and only when, no row has a value.

/// A column of a change group, decoded into typed arrays.
package struct DecodedColumn: Sendable {
    package enum Values: Sendable {
        case nulls
        case bools([Bool])
        case ints([Int64])
        case doubles([Double])
        case strings(ByteColumn)
        case dates([Double])
        case uuids([Digest128])
        case data(ByteColumn)
        case blobs([BlobReference?])
        case references([ObjectID])
        case counters([Int64])
    }

    /// Which rows are not null.
    package let presence: Presence
    package let values: Values

    package var count: Int { presence.count }

    /// The value of a row.
    ///
    /// For loops over one type, switch over ``values`` once instead.
    package func value(at row: Int) -> Value {
        guard presence.isAll || presence[row] else { return .null }
        return switch values {
        case .nulls: .null
        case .bools(let values): .bool(values[row])
        case .ints(let values): .int(values[row])
        case .doubles(let values): .double(values[row])
        case .strings(let values): .string(values.string(row))
        case .dates(let values): .date(values[row])
        case .uuids(let values): .uuid(values[row])
        case .data(let values): .data(values.data(row))
        case .blobs(let values): values[row].map { .blob($0) } ?? .null
        case .references(let values): .reference(values[row])
        case .counters(let values): .counter(values[row])
        }
    }
}

extension DecodedColumn {
    /// Reads *values* (SPEC.md, 3.2).
    ///
    /// The caller has bounded `count`.
    init(from reader: inout ByteReader, type: ValueType, count: Int, origins: [ReplicaID]) throws(StorageError) {
        let presence = try Presence(from: &reader, count: count)
        self.presence = presence
        guard !presence.isNone else {
            values = .nulls
            return
        }
        let present = presence.present
        switch type {
        case .bool:
            let words = try reader.bits(present)
            let dense = (0..<present).map { words[$0 >> 6] >> UInt64($0 & 63) & 1 != 0 }
            values = .bools(presence.spread(dense, filler: false))
        case .int: values = .ints(presence.spread(try reader.ints(present), filler: 0))
        case .counter: values = .counters(presence.spread(try reader.ints(present), filler: 0))
        case .double: values = .doubles(presence.spread(try reader.doubles(present), filler: 0))
        case .date: values = .dates(presence.spread(try reader.doubles(present), filler: 0))
        case .string: values = .strings(try ByteColumn(from: &reader, presence: presence, isText: true))
        case .data: values = .data(try ByteColumn(from: &reader, presence: presence, isText: false))
        case .uuid: values = .uuids(presence.spread(try reader.digests(present), filler: .zero))
        case .reference:
            let dense = try reader.objects(present, origins: origins)
            values = .references(presence.spread(dense, filler: ObjectID(replica: origins[0], sequence: 0, index: 0)))
        case .blob: values = .blobs(presence.spread(try reader.blobs(present), filler: nil))
        case .edges: throw reader.failure("values in a column of edges")
        }
    }
}

extension Presence {
    /// One entry for each row from one for each present row.
    func spread<Element>(_ dense: [Element], filler: Element) -> [Element] {
        if isAll { return dense }
        var result: [Element] = []
        result.reserveCapacity(count)
        var next = 0
        for row in 0..<count {
            if self[row] {
                result.append(dense[next])
                next += 1
            } else {
                result.append(filler)
            }
        }
        return result
    }
}

extension ByteReader {
    fileprivate mutating func doubles(_ count: Int) throws(StorageError) -> [Double] {
        try words(count).map { Double(bitPattern: $0) }
    }

    fileprivate mutating func digests(_ count: Int) throws(StorageError) -> [Digest128] {
        let words = try words(count &* 2)
        return (0..<count).map { Digest128(high: words[$0 * 2].byteSwapped, low: words[$0 * 2 + 1].byteSwapped) }
    }

    fileprivate mutating func blobs(_ count: Int) throws(StorageError) -> [BlobReference?] {
        guard count <= remaining / 34 else { throw shortage(of: count &* 34) }
        var result: [BlobReference?] = []
        result.reserveCapacity(count)
        for _ in 0..<count { result.append(try blob()) }
        return result
    }

    private mutating func blob() throws(StorageError) -> BlobReference {
        let start = position
        let id = BlobID(high: try digest(), low: try digest())
        let length = try varint()
        switch try u8() {
        case 0: return BlobReference(id: id, length: length)
        case 1:
            guard length <= UInt64(TransactionFormat.maximumInlineBlob) else {
                throw .malformed("an inline blob of \(length) bytes", offset: UInt64(start))
            }
            return BlobReference(id: id, length: length, inline: Array(try bytes(Int(length))))
        case let form: throw .malformed("a blob of form \(form)", offset: UInt64(start))
        }
    }
}
