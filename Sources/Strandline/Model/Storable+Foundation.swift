internal import Storage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Date: Storable {
    public static var valueType: ValueType { .date }
    public var storedValue: Value { .date(timeIntervalSinceReferenceDate) }
    public init?(storedValue: Value) {
        guard case .date(let value) = storedValue else { return nil }
        self.init(timeIntervalSinceReferenceDate: value)
    }
}

/// For values of up to some kilobytes; larger ones are ``Blob``s.
extension Data: Storable {
    public static var valueType: ValueType { .data }
    public var storedValue: Value { .data([UInt8](self)) }
    public init?(storedValue: Value) {
        guard case .data(let value) = storedValue else { return nil }
        self.init(value)
    }
}

extension UUID: Storable {
    public static var valueType: ValueType { .uuid }
    public var storedValue: Value { .uuid(digest) }
    public init?(storedValue: Value) {
        guard case .uuid(let value) = storedValue else { return nil }
        self.init(value)
    }

    /// The 16 bytes, most significant first.
    var digest: Digest128 {
        let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = uuid
        let high = [a, b, c, d, e, f, g, h] as [8 of UInt8]
        let low = [i, j, k, l, m, n, o, p] as [8 of UInt8]
        return Digest128(high: Self.word(high), low: Self.word(low))
    }

    init(_ digest: Digest128) {
        let high = digest.high
        let low = digest.low
        func byte(_ word: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * place)) }
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
                byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }

    private static func word(_ bytes: [8 of UInt8]) -> UInt64 {
        bytes.indices.reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }
}
