package import Storage

/// A small file that is replaced whole: magic, version, contents, XXH128 of all before.
///
/// IDENTITY and MANIFEST are such, and what replicas tell each other in a shared folder.
package enum ChecksummedFile {
    package static func encode(magic: String, _ contents: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(Array(magic.utf8))
        writer.u16(SegmentFormat.major)
        writer.u16(SegmentFormat.minor)
        contents(&writer)
        writer.digest(Checksum.xxh3Wide(writer.bytes.span))
        return writer.bytes
    }

    /// A reader of the contents.
    ///
    /// - Throws: `notAStore` when the file is no such file at all, `unsupportedVersion`, or `corrupt`.
    package static func open(_ bytes: [UInt8], magic: String, path: String) throws(LogError) -> ByteReader {
        guard bytes.count >= 28, bytes.starts(with: magic.utf8) else {
            throw LogError(.corrupt, "the file is not what its name says", path: path, offset: 0)
        }
        let end = bytes.count - 16
        return try LogError.damage(in: path) { () throws(StorageError) in
            var checksum = ByteReader(bytes, end..<bytes.count)
            var reader = ByteReader(bytes, magic.utf8.count..<end)
            let major = try reader.u16()
            let sound = try checksum.digest() == Checksum.xxh3Wide(bytes.span.extracting(0..<end))
            guard sound else { throw .malformed("the checksum does not match") }
            guard major == SegmentFormat.major else {
                throw StorageError(
                    .unsupported, "read", path: path,
                    detail: "it has format \(major), and this version reads \(SegmentFormat.major)")
            }
            _ = try reader.u16()
            return reader
        }
    }
}
