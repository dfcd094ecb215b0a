import EventLog
import Foundation
import Storage

/// A value as SQLite holds it, in the one form that all equal values share.
///
/// * Strings are in canonical composition, where equal strings have equal bytes, and bytes have our order.
/// * Zero has no sign: ours and SQLite take -0.0 and 0.0 as equal, and either may stand for both in a group or as an extreme.
/// * Bool is 0 or 1; counters are integers; dates are their seconds; UUIDs are 16 bytes, big-endian; references are the
///   ordinals of objects, which ascend as their ids do.
enum SQLValue: Hashable {
    case null
    case integer(Int64)
    /// Never NaN, which SQLite does not have.
    case real(Double)
    case text(String)
    case blob([UInt8])

    init(_ value: Value, ordinal: (ObjectID) -> Int64) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .integer(value ? 1 : 0)
            case .int(let value), .counter(let value): .integer(value)
            case .double(let value), .date(let value): value.isNaN ? .null : .real(value == 0 ? 0 : value)
            case .string(let text): .text(text.precomposedStringWithCanonicalMapping)
            case .uuid(let bits): .blob(Self.bytes(bits.high) + Self.bytes(bits.low))
            case .data(let bytes): .blob(bytes)
            case .blob(let blob): .blob(Array(blob.id.description.utf8))
            case .reference(let id): .integer(ordinal(id))
            }
    }

    private static func bytes(_ word: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
}
