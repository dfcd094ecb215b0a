import EventLog
import Storage

/// The first 128 bytes of a piece of a baseline: SPEC.md, section 10.5.
struct PieceHeader: Equatable {
    var dataset: DatasetID
    /// Of the baseline.
    var identity: Digest128
    /// The first and the last body in it.
    var first: UInt64, last: UInt64
    /// Seeds the checksums of the frame headers.
    var salt: UInt64
    /// Bytes in the whole file.
    var length: UInt64

    private static let magic = "STRDBPC1"

    func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: ExchangeFormat.headerSize)
        writer.raw(Array(Self.magic.utf8))
        writer.u16(ExchangeFormat.major)
        writer.u16(ExchangeFormat.minor)
        writer.u32(0)
        writer.digest(dataset.bits)
        writer.digest(identity)
        writer.u64(first)
        writer.u64(last)
        writer.u64(salt)
        writer.u64(length)
        writer.zeros(32)
        writer.digest(Checksum.xxh3Wide(writer.bytes.span))
        return writer.bytes
    }

    init(dataset: DatasetID, identity: Digest128, first: UInt64, last: UInt64, salt: UInt64, length: UInt64) {
        self.dataset = dataset
        self.identity = identity
        self.first = first
        self.last = last
        self.salt = salt
        self.length = length
    }

    /// Nothing is believed before the checksum.
    init(_ bytes: [UInt8]) throws(ExchangeDamage) {
        var reader = try ExchangeFormat.header(bytes, magic: Self.magic, "a piece of a baseline") { $0 == 0 }.reader
        self = try ExchangeDamage.wrap(at: 0) { () throws(StorageError) in
            PieceHeader(
                dataset: DatasetID(try reader.digest()), identity: try reader.digest(), first: try reader.u64(),
                last: try reader.u64(), salt: try reader.u64(), length: try reader.u64())
        }
    }
}
