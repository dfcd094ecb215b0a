import Storage

// All rows of a column at once.
extension ColumnBuffer {
    /// Adds the rows of another buffer of the same property.
    package mutating func append(contentsOf other: ColumnBuffer) {
        expect(other.property.type)
        let shift = bytes.count
        if presence.count == 0 {
            self = other
            return
        }
        presence.append(contentsOf: other.presence)
        words.append(contentsOf: other.words)
        bytes.append(contentsOf: other.bytes)
        ends.reserveCapacity(ends.count + other.ends.count)
        for end in other.ends { ends.append(end + shift) }
        appendObjects(of: other)
    }

    /// Takes the last row out; not of references.
    package mutating func removeLast() {
        let wasPresent = presence[presence.count - 1]
        presence.removeLast()
        guard wasPresent else { return }
        switch property.type {
        case .bool, .int, .double, .date, .counter: words.removeLast()
        case .uuid: words.removeLast(2)
        case .string, .data, .blob:
            ends.removeLast()
            bytes.removeLast(bytes.count - (ends.last ?? 0))
        case .reference, .edges: preconditionFailure("a column of \(property.type) keeps its rows")
        }
    }

    /// The bytes that the last row's string, data or blob takes.
    @inlinable package var lastByteCount: Int {
        guard !ends.isEmpty, presence[presence.count - 1] else { return 0 }
        return bytes.count - (ends.count > 1 ? ends[ends.count - 2] : 0)
    }

    /// The value of the last row; not of references and blobs.
    package var last: Value {
        guard presence[presence.count - 1] else { return .null }
        let word = words.last ?? 0
        switch property.type {
        case .bool: return .bool(word != 0)
        case .int: return .int(Int64(bitPattern: word))
        case .counter: return .counter(Int64(bitPattern: word))
        case .double: return .double(Double(bitPattern: word))
        case .date: return .date(Double(bitPattern: word))
        case .uuid: return .uuid(Digest128(high: words[words.count - 2], low: word))
        case .string:
            return .string(ByteColumn(bytes: bytes, start: bytes.count - lastByteCount, ends: [bytes.count]).string(0))
        case .data: return .data(Array(bytes.suffix(lastByteCount)))
        case .reference, .blob, .edges: preconditionFailure("a column of \(property.type) is not read back")
        }
    }

    /// Calls with the bytes of the last row's string or data.
    package func withLastBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        let count = lastByteCount
        return body(bytes.span.extracting(bytes.count - count..<bytes.count))
    }

    @inlinable package var isLastPresent: Bool { presence[presence.count - 1] }

    /// The rows as a reader of the log gets them; not of blobs, which lie here as they are stored.
    package var decoded: DecodedColumn {
        guard !presence.isNone else { return DecodedColumn(presence: presence, values: .nulls) }
        let values: DecodedColumn.Values =
            switch property.type {
            case .bool: .bools(presence.spread(words.map { $0 != 0 }, filler: false))
            case .int: .ints(presence.spread(words.map { Int64(bitPattern: $0) }, filler: 0))
            case .counter: .counters(presence.spread(words.map { Int64(bitPattern: $0) }, filler: 0))
            case .double: .doubles(presence.spread(words.map { Double(bitPattern: $0) }, filler: 0))
            case .date: .dates(presence.spread(words.map { Double(bitPattern: $0) }, filler: 0))
            case .uuid:
                .uuids(
                    presence.spread(
                        (0..<words.count / 2).map { Digest128(high: words[2 * $0], low: words[2 * $0 + 1]) }, filler: .zero))
            case .string: .strings(ByteColumn(bytes: bytes, start: 0, ends: spreadEnds))
            case .data: .data(ByteColumn(bytes: bytes, start: 0, ends: spreadEnds))
            case .reference, .blob, .edges: preconditionFailure("a column of \(property.type) is not read back")
            }
        return DecodedColumn(presence: presence, values: values)
    }

    /// Where the value of each row ends; one that is null is empty.
    private var spreadEnds: [Int] {
        if presence.isAll { return ends }
        var result: [Int] = []
        result.reserveCapacity(presence.count)
        var next = 0
        for row in 0..<presence.count {
            if presence[row] { next += 1 }
            result.append(next == 0 ? 0 : ends[next - 1])
        }
        return result
    }
}
