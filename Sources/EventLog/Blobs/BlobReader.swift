import Storage

/// An open blob.
///
/// Stays readable when the blob is evicted meanwhile.
///
/// Any number of threads may read at once.
package final class BlobReader: Sendable {
    package let id: BlobID
    /// Bytes in the blob.
    package let length: UInt64
    let file: any File

    init(id: BlobID, length: UInt64, file: any File) {
        self.id = id
        self.length = length
        self.file = file
    }

    /// Fills `buffer` from `offset` on; returns the bytes read, fewer only at the end.
    ///
    /// What is read is not hashed.
    package func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(LogError) -> Int {
        do throws(StorageError) { return try file.read(into: &buffer, at: offset) } catch { throw LogError(error) }
    }

    /// The content from its beginning; see ``BlobStream``.
    package func stream(verified: Bool) -> BlobStream { BlobStream(self, isVerified: verified) }

    /// Calls `body` with each chunk of 512 KiB in turn.
    ///
    /// - Parameter verified: Hashes what passes, and throws `blobDamaged` after the last chunk when it is not what the name says.
    package func forEachChunk(verified: Bool = false, _ body: (Span<UInt8>) throws -> Void) throws {
        var stream = stream(verified: verified)
        var buffer = [UInt8](repeating: 0, count: Int(min(UInt64(BlobFormat.chunkSize), max(length, 1))))
        while true {
            var span = buffer.mutableSpan
            let count = try stream.read(into: &span)
            if count == 0 { return }
            try body(buffer.span.extracting(0..<count))
        }
    }

    /// Hashes the whole blob.
    ///
    /// - Throws: ``LogError`` of code `blobDamaged` when its bytes do not match its name.
    package func verify() throws { try forEachChunk(verified: true) { _ in } }

    package func close() { file.close() }
}
