package import Storage

/// The 64 bytes before a frame's body: SPEC.md, section 4.3.
///
/// Nothing in them is believed before their checksum.
package struct FrameHeader: Sendable, Equatable {
    package enum Kind: UInt8, Sendable {
        case batch = 1, part = 2, stageCommit = 3, control = 4, index = 5, baseline = 6
    }

    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        package static let firstOfGroup = Flags(rawValue: 1)
        package static let lastOfGroup = Flags(rawValue: 2)
    }

    static let magic: UInt32 = 0x4D52_4653

    /// As stored; see ``kind`` for the known ones.
    package var type: UInt8
    package var isCompressed = false
    package var flags: Flags = []
    package var storedLength: UInt32 = 0
    package var logicalLength: UInt32 = 0
    package var firstLSN: UInt64 = 0
    /// Transactions that end in this frame.
    package var transactions: UInt32 = 0
    package var group: UInt32 = 0
    package var durableLSN: UInt64 = 0
    package var link: UInt64 = 0
    package var bodyChecksum: UInt64 = 0
    /// Over the header; the next frame's link.
    package var checksum: UInt64 = 0

    package init(_ kind: Kind) { type = kind.rawValue }

    package var kind: Kind? { Kind(rawValue: type) }
    /// Whether a version that does not know the type may go on without it.
    package var isSkippable: Bool { type & 0x80 != 0 }

    /// Sets the checksum and appends the 64 bytes.
    package mutating func append(to writer: inout ByteWriter, salt: UInt64) {
        let start = writer.count
        writer.u32(Self.magic)
        writer.u8(type)
        writer.u8(isCompressed ? 1 : 0)
        writer.u16(flags.rawValue)
        writer.u32(storedLength)
        writer.u32(logicalLength)
        writer.u64(firstLSN)
        writer.u32(transactions)
        writer.u32(group)
        writer.u64(durableLSN)
        writer.u64(link)
        writer.u64(bodyChecksum)
        checksum = Checksum.xxh3(writer.bytes.span.extracting(start..<writer.count), seed: salt)
        writer.u64(checksum)
    }

    /// Reads a header at `offset` of `bytes`; nil when there is no valid one, whatever else is there.
    package init?(_ bytes: [UInt8], at offset: Int, salt: UInt64) {
        guard offset + SegmentFormat.frameHeaderSize <= bytes.count,
            let header = try? Self.read(bytes, at: offset, salt: salt)
        else { return nil }
        self = header
    }

    private static func read(_ bytes: [UInt8], at offset: Int, salt: UInt64) throws(StorageError) -> FrameHeader? {
        var reader = ByteReader(bytes, offset..<offset + SegmentFormat.frameHeaderSize)
        guard try reader.u32() == magic else { return nil }
        var header = FrameHeader(.batch)
        header.type = try reader.u8()
        let codec = try reader.u8()
        header.isCompressed = codec == 1
        header.flags = Flags(rawValue: try reader.u16())
        header.storedLength = try reader.u32()
        header.logicalLength = try reader.u32()
        header.firstLSN = try reader.u64()
        header.transactions = try reader.u32()
        header.group = try reader.u32()
        header.durableLSN = try reader.u64()
        header.link = try reader.u64()
        header.bodyChecksum = try reader.u64()
        let sum = Checksum.xxh3(bytes.span.extracting(offset..<reader.position), seed: salt)
        header.checksum = try reader.u64()
        guard header.checksum == sum, codec <= 1, header.isPlausible else { return nil }
        return header
    }

    private var isPlausible: Bool {
        let isLarge = kind == .index || kind == .baseline
        let limit = UInt32(isLarge ? SegmentFormat.largeFrameLimit : SegmentFormat.frameLimit + 4096)
        let isCountable = firstLSN < TransactionFormat.numberLimit && group < .max
        return isCountable && logicalLength <= limit
            && (isCompressed ? storedLength < logicalLength : storedLength == logicalLength)
    }
}
