import EventLog
import Storage

/// The first 128 bytes of an exchange file: SPEC.md, section 10.
struct ExchangeHeader: Equatable {
    var dataset: DatasetID
    var stretch: Stretch
    /// Some blobs that the transactions name were not published with them.
    var isLacking = false
    /// Seeds the checksums of the frame headers, so that no other file's bytes pass for its own.
    var salt: UInt64
    /// Bytes in the whole file.
    var length: UInt64

    private static let lackingFlag: UInt32 = 1

    func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: ExchangeFormat.headerSize)
        writer.raw(Array(ExchangeFormat.magic.utf8))
        writer.u16(ExchangeFormat.major)
        writer.u16(ExchangeFormat.minor)
        writer.u32(isLacking ? Self.lackingFlag : 0)
        writer.digest(dataset.bits)
        writer.digest(stretch.origin.bits)
        writer.u64(stretch.first)
        writer.u64(stretch.last)
        writer.digest(stretch.before)
        writer.digest(stretch.after)
        writer.u64(salt)
        writer.u64(length)
        writer.digest(Checksum.xxh3Wide(writer.bytes.span))
        return writer.bytes
    }

    init(dataset: DatasetID, stretch: Stretch, isLacking: Bool = false, salt: UInt64, length: UInt64) {
        self.dataset = dataset
        self.stretch = stretch
        self.isLacking = isLacking
        self.salt = salt
        self.length = length
    }

    /// Nothing is believed before the checksum.
    init(_ bytes: [UInt8]) throws(ExchangeDamage) {
        var (reader, flags) = try ExchangeFormat.header(bytes, magic: ExchangeFormat.magic, "an exchange file") {
            $0 & ~Self.lackingFlag == 0
        }
        self = try ExchangeDamage.wrap(at: 0) { () throws(StorageError) in
            let dataset = DatasetID(try reader.digest())
            let stretch = Stretch(
                origin: ReplicaID(try reader.digest()), first: try reader.u64(), last: try reader.u64(),
                before: try reader.digest(), after: try reader.digest())
            guard stretch.isPlausible else { throw .malformed("a header with impossible sequences") }
            return ExchangeHeader(
                dataset: dataset, stretch: stretch, isLacking: flags & Self.lackingFlag != 0, salt: try reader.u64(),
                length: try reader.u64())
        }
    }
}

extension ExchangeFormat {
    /// Checks the first 128 bytes of a file of the folder.
    ///
    /// - Parameter knows: whether this version knows all of the flags.
    /// - Returns: a reader of what follows the flags, and the flags.
    static func header(
        _ bytes: [UInt8], magic: String, _ what: String, knows: (UInt32) -> Bool
    ) throws(ExchangeDamage) -> (reader: ByteReader, flags: UInt32) {
        guard bytes.count >= headerSize else {
            throw ExchangeDamage("only \(bytes.count) bytes have arrived, too few for the header", at: UInt64(bytes.count))
        }
        let end = headerSize - 16
        return try ExchangeDamage.wrap(at: 0) { () throws(StorageError) in
            var checksum = ByteReader(bytes, end..<headerSize)
            guard try checksum.digest() == Checksum.xxh3Wide(bytes.span.extracting(0..<end)) else {
                throw .malformed("the header's checksum does not match")
            }
            guard bytes.starts(with: magic.utf8) else { throw .malformed("it is not \(what)") }
            var reader = ByteReader(bytes, magic.utf8.count..<end)
            let major = try reader.u16()
            _ = try reader.u16()
            let flags = try reader.u32()
            guard major == Self.major, knows(flags) else {
                throw .newerVersion("\(what) of format \(major), flags \(flags)")
            }
            return (reader, flags)
        }
    }
}
