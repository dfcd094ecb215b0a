package import Storage

/// A large value by its content.
///
/// Values up to 64 KiB travel in the log with their bytes; larger ones lie in a file of their own.
public struct BlobReference: Hashable, Sendable {
    /// Names the content: see "Blobs" in SPEC.md.
    public let id: BlobID
    /// Length in bytes.
    public let length: UInt64
    /// The bytes themselves, when they are kept in the log.
    public let inline: [UInt8]?

    package init(id: BlobID, length: UInt64, inline: [UInt8]? = nil) {
        self.id = id
        self.length = length
        self.inline = inline
    }

    public static func == (a: BlobReference, b: BlobReference) -> Bool { a.id == b.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The name of a blob: SHA-256 over the length and the chunk digests of its content.
public struct BlobID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let high: Digest128, low: Digest128

    package init(high: Digest128, low: Digest128) {
        self.high = high
        self.low = low
    }

    /// Reads the 64 hexadecimal digits that ``description`` gives.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 64, let high = Digest128(text.prefix(32)), let low = Digest128(text.suffix(32)) else {
            return nil
        }
        self.init(high: high, low: low)
    }

    public static func < (a: BlobID, b: BlobID) -> Bool { (a.high, a.low) < (b.high, b.low) }

    /// 64 lower-case hexadecimal digits.
    public var description: String { high.description + low.description }
}
