#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A handle on a large value, such as a photo.
///
/// Fetching an object loads the handle; the bytes stay in the store until asked for.
///
/// ```swift
/// try tx.insert(ImageData(data: Blob(contentsOf: "/photos/beer.jpg"), attachment: attachment.id))
/// ```
///
/// New content is read, hashed and stored by the write that contains it. Two handles are equal when they name the same stored
/// content, the same new bytes, or the same file.
public struct Blob: Hashable, Sendable {
    /// What the handle stands for.
    package enum Content: Hashable, Sendable {
        case stored(BlobReference)
        case bytes([UInt8])
        case file(path: String)
        case produced(ProducedContent)
    }

    package let content: Content

    /// Where stored bytes are read from; nil for new content.
    package let source: (any BlobSource)?

    /// Empty content.
    public init() { self.init([]) }

    /// New content held in memory until it is written.
    ///
    /// For more than a few megabytes prefer ``init(contentsOf:)``.
    public init(_ bytes: [UInt8]) {
        content = .bytes(bytes)
        source = nil
    }

    /// New content held in memory until it is written.
    ///
    /// For more than a few megabytes prefer ``init(contentsOf:)``.
    public init(_ data: Data) { self.init([UInt8](data)) }

    /// The content of a file, streamed into the store by the write; nothing is read before.
    ///
    /// A write whose file cannot be read
    /// throws, and changes nothing.
    /// - Parameter path: absolute, or relative to the working directory at the time of the write.
    public init(contentsOf path: String) {
        content = .file(path: path)
        source = nil
    }

    /// New content that is made while the write stores it.
    package init(_ produced: ProducedContent) {
        content = .produced(produced)
        source = nil
    }

    package init(stored reference: BlobReference, source: (any BlobSource)?) {
        content = .stored(reference)
        self.source = source
    }

    /// Names stored content; nil for new content, which is named when it is written.
    public var id: BlobID? {
        guard case .stored(let reference) = content else { return nil }
        return reference.id
    }

    /// Length in bytes; nil for a file that has not been written to the store yet.
    public var length: UInt64? {
        switch content {
        case .stored(let reference): reference.length
        case .bytes(let bytes): UInt64(bytes.count)
        case .file: nil
        case .produced(let content): content.length
        }
    }

    public static func == (a: Blob, b: Blob) -> Bool { a.content == b.content }
    public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}
