package import Storage

// Invariants
// * Values lie densely, nulls left out: `presence.present` of them, in exactly one of `words` (bool, int, double, date,
//   counter; a uuid takes two), `ends` with `bytes` (string, data, blob) and `objects` (reference), by `property.type`.
// * `ends[i]` is where value i ends in `bytes`; it begins where its predecessor ends.

/// A column of values on its way into a change group: typed arrays that grow by appending.
///
/// Append row by row with the method of the column's type, or ``appendNull()``. Appending another type is a programming error.
package struct ColumnBuffer: Sendable {
    package let property: Property
    @usableFromInline var presence = Presence()
    @usableFromInline var words: [UInt64] = []
    @usableFromInline var bytes: [UInt8] = []
    @usableFromInline var ends: [Int] = []
    private var objects: [ObjectID] = []

    package init(_ property: Property) {
        precondition(property.type != .edges, "a column of edges has no values")
        self.property = property
    }

    /// Rows appended so far.
    package var rows: Int { presence.count }

    @inlinable package mutating func appendNull() { presence.append(false) }

    @inlinable package mutating func append(_ value: Bool) { append(word: value ? 1 : 0, as: .bool) }
    /// An int, or a counter's starting value.
    @inlinable package mutating func append(_ value: Int64) {
        append(word: UInt64(bitPattern: value), as: property.type == .counter ? .counter : .int)
    }
    /// A double, or a date in seconds since 2001.
    @inlinable package mutating func append(_ value: Double) {
        append(word: value.bitPattern, as: property.type == .date ? .date : .double)
    }

    @inlinable package mutating func append(_ value: String) {
        expect(.string)
        presence.append(true)
        bytes.append(contentsOf: value.utf8)
        ends.append(bytes.count)
    }

    /// The bytes of a data value.
    @inlinable package mutating func append(_ value: Span<UInt8>) {
        expect(.data)
        presence.append(true)
        unsafe value.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        ends.append(bytes.count)
    }

    package mutating func append(_ value: Digest128) {
        expect(.uuid)
        presence.append(true)
        words.append(value.high)
        words.append(value.low)
    }

    package mutating func append(_ value: ObjectID) {
        expect(.reference)
        presence.append(true)
        objects.append(value)
    }

    package mutating func append(_ value: BlobReference) {
        expect(.blob)
        presence.append(true)
        var writer = ByteWriter(capacity: 48 + (value.inline?.count ?? 0))
        writer.blob(value)
        bytes.append(contentsOf: writer.bytes)
        ends.append(bytes.count)
    }

    mutating func appendObjects(of other: ColumnBuffer) { objects.append(contentsOf: other.objects) }

    /// A value of the column's type, or null.
    package mutating func append(_ value: Value) {
        switch value {
        case .null: appendNull()
        case .bool(let value): append(value)
        case .int(let value): append(word: UInt64(bitPattern: value), as: .int)
        case .counter(let value): append(word: UInt64(bitPattern: value), as: .counter)
        case .double(let value): append(word: value.bitPattern, as: .double)
        case .date(let value): append(word: value.bitPattern, as: .date)
        case .string(let value): append(value)
        case .data(let value): append(value.span)
        case .uuid(let value): append(value)
        case .reference(let value): append(value)
        case .blob(let value): append(value)
        }
    }

    @inlinable mutating func append(word: UInt64, as type: ValueType) {
        expect(type)
        presence.append(true)
        words.append(word)
    }

    @inlinable func expect(_ type: ValueType) {
        precondition(property.type == type, "a value of another type than its column")
    }
}

// Sizes, by which the builder decides where groups and parts end.
extension ColumnBuffer {
    /// The bytes that values of rows of varying size take so far.
    var byteCount: Int { bytes.count }

    /// The size of a row's value as far as it varies: the bytes of a string, data or blob.
    func byteCount(row: Int) -> Int {
        guard !ends.isEmpty, presence[row] else { return 0 }
        let value = presence.rank(row)
        return ends[value] - (value == 0 ? 0 : ends[value - 1])
    }
}

// The stored form: *values* in SPEC.md, 3.2.
extension ColumnBuffer {
    func write(_ rows: Range<Int>, to writer: inout ByteWriter, origins: inout OriginTable) {
        presence.write(rows, to: &writer)
        let values = presence.rank(rows.lowerBound)..<presence.rank(rows.upperBound)
        if values.isEmpty { return }
        switch property.type {
        case .bool: writer.bits(values.count) { words[values.lowerBound + $0] != 0 }
        case .int, .counter: writer.ints(words.span.extracting(values))
        case .double, .date: writer.words(words.span.extracting(values))
        case .uuid:
            for word in words[values.lowerBound * 2..<values.upperBound * 2] { writer.u64(word.byteSwapped) }
        case .string, .data:
            writeLengths(values, to: &writer)
            writer.raw(bytes.span.extracting(byteRange(values)))
        case .blob: writer.raw(bytes.span.extracting(byteRange(values)))
        case .reference: writer.objects(objects.span.extracting(values), origins: &origins)
        case .edges: break  // Never has values; see init.
        }
    }

    private func byteRange(_ values: Range<Int>) -> Range<Int> {
        (values.lowerBound == 0 ? 0 : ends[values.lowerBound - 1])..<ends[values.upperBound - 1]
    }

    private func writeLengths(_ values: Range<Int>, to writer: inout ByteWriter) {
        var lengths: [UInt32] = []
        lengths.reserveCapacity(values.count)
        var start = byteRange(values).lowerBound
        for value in values {
            lengths.append(UInt32(truncatingIfNeeded: ends[value] - start))
            start = ends[value]
        }
        writer.ints(lengths.span)
    }
}

extension ByteWriter {
    mutating func blob(_ value: BlobReference) {
        digest(value.id.high)
        digest(value.id.low)
        varint(value.length)
        u8(value.inline == nil ? 0 : 1)
        if let inline = value.inline { raw(inline) }
    }
}
