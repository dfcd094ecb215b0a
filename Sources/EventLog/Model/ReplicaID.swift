package import Storage

/// An origin of transactions: 128 random bits.
///
/// A store takes a new one whenever it might reuse a sequence.
public struct ReplicaID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let bits: Digest128

    package init(_ bits: Digest128) { self.bits = bits }

    /// Reads the 32 hexadecimal digits that ``description`` gives.
    public init?(_ text: some StringProtocol) {
        guard let bits = Digest128(text) else { return nil }
        self.bits = bits
    }

    package init(from random: any RandomSource) {
        bits = Digest128(high: random.next(), low: random.next())
    }

    public static func < (a: ReplicaID, b: ReplicaID) -> Bool { a.bits < b.bits }

    /// 32 lower-case hexadecimal digits.
    public var description: String { bits.description }
}
