package import Storage

/// The first 4,096 bytes of a segment, stage file or baseline: SPEC.md, section 4.1.
package struct SegmentHeader: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case segment = "STRDSEG1"
        case stage = "STRDSTG1"
        case baseline = "STRDBAS1"
    }

    package var kind: Kind
    package var dataset: DatasetID
    package var log: Digest128
    package var ordinal: UInt64 = 0
    package var firstLSN: UInt64 = 0
    /// Seeds the checksums of this file's frame headers, so that no other file's bytes pass for its own.
    package var salt: UInt64
    package var predecessor = Predecessor()
    package var created: UInt64 = 0

    /// Where the log was when this segment was begun.
    package struct Predecessor: Sendable, Equatable {
        package var ordinal: UInt64 = 0
        package var end: UInt64 = 0
        package var link: UInt64 = 0
    }

    package init(kind: Kind, dataset: DatasetID, log: Digest128, salt: UInt64) {
        self.kind = kind
        self.dataset = dataset
        self.log = log
        self.salt = salt
    }

    package func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: SegmentFormat.headerSize)
        writer.raw(Array(kind.rawValue.utf8))
        writer.u16(SegmentFormat.major)
        writer.u16(SegmentFormat.minor)
        for _ in 0..<3 { writer.u32(0) }
        writer.digest(dataset.bits)
        writer.digest(log)
        for word in [ordinal, firstLSN, salt, predecessor.ordinal, predecessor.end, predecessor.link, created] {
            writer.u64(word)
        }
        writer.zeros(SegmentFormat.headerSize - 16 - writer.count)
        writer.digest(Checksum.xxh3Wide(writer.bytes.span))
        return writer.bytes
    }

    /// - Throws: `notAStore` when the bytes are no such file, `unsupportedVersion`, or `corrupt`.
    package init(_ bytes: [UInt8], kind: Kind, path: String) throws(LogError) {
        guard bytes.count >= SegmentFormat.headerSize else {
            throw LogError(
                .corrupt, "the file is too short to hold its header; \(LogError.restoration)", path: path,
                offset: UInt64(bytes.count))
        }
        let body = SegmentFormat.headerSize - 16
        let sound = try LogError.damage(in: path) { () throws(StorageError) in
            var checksum = ByteReader(bytes, body..<SegmentFormat.headerSize)
            return try checksum.digest() == Checksum.xxh3Wide(bytes.span.extracting(0..<body))
        }
        guard sound else {
            throw LogError(
                .corrupt, "the header's checksum does not match; \(LogError.restoration)", path: path, offset: 0)
        }
        guard bytes.starts(with: kind.rawValue.utf8) else {
            throw LogError(
                .corrupt, "the file is of another kind than its name says; \(LogError.restoration)", path: path, offset: 0)
        }
        var reader = ByteReader(bytes, 8..<body)
        self = try LogError.damage(in: path) { () throws(StorageError) in
            let major = try reader.u16()
            _ = try reader.u16()
            let features = try reader.u32()
            try reader.skip(8)
            guard major == SegmentFormat.major, features & ~SegmentFormat.knownFeatures == 0 else {
                throw StorageError(.unsupported, "read", path: path, detail: "format \(major), features \(features)")
            }
            let (dataset, log) = (DatasetID(try reader.digest()), try reader.digest())
            var words: [UInt64] = []
            for _ in 0..<7 { words.append(try reader.u64()) }
            var header = SegmentHeader(kind: kind, dataset: dataset, log: log, salt: words[2])
            header.ordinal = words[0]
            header.firstLSN = words[1]
            header.predecessor = Predecessor(ordinal: words[3], end: words[4], link: words[5])
            header.created = words[6]
            let isCounted = (header.ordinal, header.firstLSN) != (0, 0)
            guard kind == .segment ? header.ordinal > 0 && header.firstLSN > 0 : !isCounted,
                max(header.ordinal, header.firstLSN) < TransactionFormat.numberLimit
            else { throw .malformed("numbers that no log reaches", offset: 56) }
            return header
        }
    }
}
