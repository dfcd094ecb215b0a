import Storage

/// Reads a blob from front to end.
///
/// A verified stream hashes what it gives out, and throws `blobDamaged` where it would report the end, if the bytes do not match
/// the name: until then what it gave out must not be relied on.
package struct BlobStream: ~Copyable {
    private let reader: BlobReader
    private let isVerified: Bool
    private var hasher = BlobHasher()
    private var position: UInt64 = 0
    private var isEnded = false

    init(_ reader: BlobReader, isVerified: Bool) {
        self.reader = reader
        self.isVerified = isVerified
    }

    /// Fills the front of `buffer`; returns the bytes read, 0 at the end or for an empty buffer.
    package mutating func read(into buffer: inout MutableSpan<UInt8>) throws(LogError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        let count = try reader.read(into: &buffer, at: position)
        position += UInt64(count)
        if isVerified, !isEnded {
            hasher.update(buffer.span.extracting(0..<count))
            if count == 0 { try end() }
        }
        return count
    }

    private mutating func end() throws(LogError) {
        isEnded = true
        var done = BlobHasher()
        swap(&done, &hasher)
        let actual = done.finalize()
        guard actual != reader.id else { return }
        throw LogError(
            .blobDamaged,
            "the bytes of blob \(reader.id) do not match its name: they are \(actual); repair the store from a replica or a backup",
            path: reader.file.path)
    }
}
