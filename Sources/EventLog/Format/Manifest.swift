package import Storage

/// Which segments belong to a log: SPEC.md, section 4.8.
package struct Manifest: Sendable, Equatable {
    /// Where a segment was given up: what lies behind is not part of the log.
    package struct End: Sendable, Equatable {
        package var ordinal: UInt64
        package var end: UInt64

        package init(ordinal: UInt64, end: UInt64) {
            self.ordinal = ordinal
            self.end = end
        }
    }

    package var log: Digest128
    package var generation: UInt64
    package var firstOrdinal: UInt64, lastOrdinal: UInt64
    package var ends: [End]
    /// What stands for all that was before the first segment; nil as long as nothing was trimmed.
    package var baseline: Digest128?

    private static let magic = "STRDMAN1"

    package init(log: Digest128, generation: UInt64 = 1, firstOrdinal: UInt64, lastOrdinal: UInt64, ends: [End] = []) {
        self.log = log
        self.generation = generation
        self.firstOrdinal = firstOrdinal
        self.lastOrdinal = lastOrdinal
        self.ends = ends
    }

    package func end(of ordinal: UInt64) -> End? { ends.first { $0.ordinal == ordinal } }

    package func encode() -> [UInt8] {
        ChecksummedFile.encode(magic: Self.magic) { writer in
            writer.digest(log)
            for word in [generation, firstOrdinal, lastOrdinal] { writer.u64(word) }
            writer.count(ends.count)
            for end in ends {
                writer.varint(end.ordinal)
                writer.varint(end.end)
            }
            if let baseline { writer.digest(baseline) }
        }
    }

    package init(_ bytes: [UInt8], path: String) throws(LogError) {
        var reader = try ChecksummedFile.open(bytes, magic: Self.magic, path: path)
        self = try LogError.damage(in: path) { () throws(StorageError) in
            var manifest = Manifest(
                log: try reader.digest(), generation: try reader.u64(), firstOrdinal: try reader.u64(),
                lastOrdinal: try reader.u64())
            for _ in 0..<(try reader.count(max: bytes.count, minimumSize: 2)) {
                manifest.ends.append(
                    End(ordinal: try reader.varint(), end: try reader.varint()))
            }
            if !reader.isAtEnd { manifest.baseline = try reader.digest() }
            try reader.expectEnd()
            let ordinals = (manifest.firstOrdinal, manifest.lastOrdinal)
            guard ordinals.0 > 0, ordinals.0 <= ordinals.1, ordinals.1 < TransactionFormat.numberLimit else {
                throw .malformed("segments from \(ordinals.0) to \(ordinals.1)")
            }
            guard manifest.firstOrdinal == 1 || manifest.baseline != nil else {
                throw .malformed("segments from \(ordinals.0) on and no baseline before them")
            }
            return manifest
        }
    }

    /// Takes over what another process trimmed meanwhile.
    mutating func adoptFront(of other: Manifest) {
        generation = max(generation, other.generation)
        guard other.firstOrdinal > firstOrdinal else { return }
        trim(before: other.firstOrdinal, baseline: other.baseline)
    }

    /// Lets the log begin with another segment.
    mutating func trim(before ordinal: UInt64, baseline: Digest128?) {
        firstOrdinal = ordinal
        self.baseline = baseline
        ends.removeAll { $0.ordinal < ordinal }
    }
}
