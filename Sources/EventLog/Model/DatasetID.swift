package import Storage

/// The set of objects that replicas share.
///
/// Stores of different datasets never merge.
public struct DatasetID: Hashable, Sendable, Comparable, CustomStringConvertible {
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

    public static func < (a: DatasetID, b: DatasetID) -> Bool { a.bits < b.bits }

    /// 32 lower-case hexadecimal digits.
    public var description: String { bits.description }
}
