import EventLog
import Storage

/// The byte string of one term of a digest (SPEC.md, section 5.10).
struct DigestBytes {
    /// With room for most terms, so that it need not grow.
    private var writer = ByteWriter(capacity: 128)

    /// XXH3-128 of what was added.
    var digest: Digest128 { Checksum.xxh3Wide(writer.bytes.span) }

    var count: Int { writer.count }

    /// Forgets what was added after the first so many bytes.
    mutating func truncate(to count: Int) { writer.bytes.removeLast(writer.count - count) }

    mutating func add(_ bytes: Span<UInt8>) { writer.raw(bytes) }

    mutating func add(_ byte: UInt8) { writer.u8(byte) }

    mutating func add(_ number: some FixedWidthInteger) { writer.word(number.littleEndian) }

    mutating func add(_ digest: Digest128) { writer.digest(digest) }

    mutating func add(_ id: ObjectID) {
        add(id.replica.bits)
        add(id.sequence)
        add(id.index)
    }

    mutating func add(_ text: String) { writer.string(text) }

    mutating func addVarint(_ count: Int) { writer.count(count) }

    mutating func add(_ property: Property) {
        add(property.name)
        add(property.type.rawValue)
    }

    mutating func add(_ value: Value) {
        add(value.type?.rawValue ?? 0)
        switch value {
        case .null: break
        case .bool(let value): add(value ? 1 as UInt8 : 0)
        case .int(let value), .counter(let value): add(value)
        case .double(let value), .date(let value): add(value.bitPattern)
        case .string(let value): add(value)
        case .uuid(let value): add(value)
        case .data(let value):
            addVarint(value.count)
            writer.raw(value)
        case .blob(let value):
            add(value.id.high)
            add(value.id.low)
            add(value.length)
        case .reference(let value): add(value)
        }
    }
}
