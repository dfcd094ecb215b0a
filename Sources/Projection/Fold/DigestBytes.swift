import EventLog
import Storage

/// The byte string of one term of a digest (SPEC.md, section 5.10).
struct DigestBytes {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(96) }

    /// XXH3-128 of what was added.
    var digest: Digest128 { Checksum.xxh3Wide(bytes.span) }

    mutating func add(_ byte: UInt8) { bytes.append(byte) }

    mutating func add(_ number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func add(_ digest: Digest128) {
        add(digest.high.byteSwapped)
        add(digest.low.byteSwapped)
    }

    mutating func add(_ id: ObjectID) {
        add(id.replica.bits)
        add(id.sequence)
        add(id.index)
    }

    mutating func add(_ text: String) {
        addVarint(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func addVarint(_ count: Int) {
        var rest = UInt64(count)
        while rest >= 0x80 {
            add(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        add(UInt8(rest))
    }

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
            bytes.append(contentsOf: value)
        case .blob(let value):
            add(value.id.high)
            add(value.id.low)
            add(value.length)
        case .reference(let value): add(value)
        }
    }
}
