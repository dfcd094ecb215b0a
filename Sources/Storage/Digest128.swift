/// A 128-bit digest or identifier, ordered as its 16 big-endian bytes.
public struct Digest128: Hashable, Sendable, Comparable, CustomStringConvertible {
    public var high: UInt64, low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public static let zero = Digest128(high: 0, low: 0)

    public static func < (a: Digest128, b: Digest128) -> Bool { (a.high, a.low) < (b.high, b.low) }

    /// The sum modulo 2^128, which does not depend on the order of the terms.
    public static func &+ (a: Digest128, b: Digest128) -> Digest128 {
        let (low, carry) = a.low.addingReportingOverflow(b.low)
        return Digest128(high: a.high &+ b.high &+ (carry ? 1 : 0), low: low)
    }

    public static func &- (a: Digest128, b: Digest128) -> Digest128 {
        let (low, borrow) = a.low.subtractingReportingOverflow(b.low)
        return Digest128(high: a.high &- b.high &- (borrow ? 1 : 0), low: low)
    }

    /// 32 lower-case hexadecimal digits.
    public var description: String { Digest128.hex(high) + Digest128.hex(low) }

    /// Reads 32 hexadecimal digits of either case; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "f") }),
            let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// 16 lower-case hexadecimal digits.
    package static func hex(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
