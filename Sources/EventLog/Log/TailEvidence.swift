import Storage

/// What there is in and behind the first place of a segment that is not a valid group, and what follows from it: SPEC.md, section 4.9.
package struct TailEvidence: Equatable {
    package enum Verdict: Equatable {
        /// The log ends here, and nothing lies behind.
        case clean
        /// Bytes that were never part of a commit that anyone was told of. To be cut.
        case junk, torn
        /// As torn, but an acknowledged commit cannot be ruled out.
        case uncertain
        /// Acknowledged data is damaged at this offset.
        case corrupt(offset: UInt64, reason: String)
    }

    /// Where the last valid group ends.
    package var stop: UInt64
    package var nextLSN: UInt64
    package var group: UInt32
    /// The first header of the group at `stop` is valid.
    package var insideGroup = false
    package var watermark: Watermark?
    /// Where the manifest ends the segment; what lies behind is not of the log.
    package var end: UInt64?
    package var size: UInt64 = 0
    /// Offsets of the first byte at or behind `stop` that is not zero, and behind the last one.
    package var nonZero: Range<UInt64>?
    /// The first valid frame header behind `stop` of a later group than the one due, and the first that proves more durable.
    package var laterGroup: UInt64?
    package var proof: UInt64?
    /// The bytes at `stop` begin a footer, behind an index: an interrupted sealing.
    package var isInterruptedSeal = false
    /// The last LSN that another process of this boot said is durable; 0 when none did.
    package var announced: UInt64 = 0
    /// The file ends where the log does, though whoever writes keeps zeros behind it.
    package var isCutShort = false

    /// The rules in their order.
    package var verdict: Verdict {
        if let end {
            guard end > stop else { return .clean }
            return .corrupt(offset: stop, reason: "the manifest says that the segment goes on to offset \(end)")
        }
        if let watermark, watermark.end > stop {
            return .corrupt(
                offset: stop, reason: "the segment is damaged or cut before offset \(watermark.end), which was durable")
        }
        if announced >= nextLSN {
            return .corrupt(offset: stop, reason: "transactions up to \(announced) were durable since the machine started")
        }
        if let proof { return .corrupt(offset: stop, reason: "a later frame at offset \(proof) proves that more was durable") }
        if let laterGroup { return .corrupt(offset: stop, reason: "a later group at offset \(laterGroup) is intact") }
        let isClosed = watermark.map { $0.isClean && $0.end == stop } ?? false
        guard let nonZero else { return isCutShort && !isClosed ? .uncertain : .clean }
        if nonZero.upperBound > stop + SegmentFormat.tornReach {
            return .corrupt(offset: stop, reason: "more lies behind than one commit can have left")
        }
        if isClosed { return .junk }
        if insideGroup || isInterruptedSeal { return .torn }
        return .uncertain
    }

    /// Looks at a segment from where a scan stopped.
    ///
    /// - Parameter end: where the manifest ends it.
    init(_ segment: SegmentFile, scanned: GroupScanner, endsInIndex: Bool, end: UInt64? = nil) throws(StorageError) {
        self.end = end
        stop = scanned.position.offset
        nextLSN = scanned.position.nextLSN
        group = scanned.position.group
        insideGroup = scanned.stoppedInsideGroup
        watermark = segment.watermark
        size = try segment.file.size()
        let footer = try segment.footer()
        if size <= stop { isCutShort = footer == nil }
        // The index may be so long that its footer lies where a next group would begin.
        if let footer, footer.end == stop, footer.link == scanned.position.link { return }
        var window = try ReadWindow(segment.file, chunk: 1 << 20)
        var offset = stop
        while offset < size {
            let count = Int(min(1 << 20, size - offset))
            guard let bytes = try window.bytes(at: offset, count: count) else { break }
            examine(bytes, at: offset, salt: segment.header.salt)
            offset += UInt64(count)
        }
        if endsInIndex, let nonZero, nonZero.upperBound <= stop + UInt64(SegmentFormat.footerSize) { isInterruptedSeal = true }
    }

    private mutating func examine(_ bytes: ArraySlice<UInt8>, at offset: UInt64, salt: UInt64) {
        guard let first = bytes.firstIndex(where: { $0 != 0 }), let last = bytes.lastIndex(where: { $0 != 0 }) else { return }
        let range = offset + UInt64(first - bytes.startIndex)..<offset + UInt64(last - bytes.startIndex) + 1
        nonZero = (nonZero?.lowerBound ?? range.lowerBound)..<range.upperBound
        let array = Array(bytes)
        for start in stride(from: 0, to: array.count, by: Int(SegmentFormat.frameAlignment)) {
            guard let header = FrameHeader(array, at: start, salt: salt) else { continue }
            let place = offset + UInt64(start)
            if header.group > group + 1, laterGroup == nil { laterGroup = place }
            if header.durableLSN >= nextLSN, proof == nil { proof = place }
        }
    }

    package init(stop: UInt64, nextLSN: UInt64, group: UInt32) {
        self.stop = stop
        self.nextLSN = nextLSN
        self.group = group
    }
}
