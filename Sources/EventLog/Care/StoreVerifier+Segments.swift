import Storage

// Segments, one after the other.
extension StoreVerifier {
    /// Checks the segments; in memory are two headers at a time.
    func check(_ segments: [Entry]) throws {
        var current = segments.first.flatMap { open($0) }
        for number in segments.indices {
            let isLast = number == segments.count - 1
            let next = isLast ? nil : open(segments[number + 1])
            defer { current = next }
            guard let segment = current else {
                state = nil
                end = nil
                continue
            }
            defer { segment.file.close() }
            report.segments += 1
            do {
                try check(segment, isLast: isLast, next: next?.header)
            } catch let error as StorageError {
                // What cannot be read is damage like any other.
                problem(error, in: segment.path)
                state = nil
                end = nil
            }
        }
    }

    private func open(_ entry: Entry) -> SegmentFile? {
        let path = layout.segment(ordinal: entry.ordinal, firstLSN: entry.firstLSN)
        do throws(LogError) {
            let segment = try SegmentFile.open(path, for: .read, in: fileSystem)
            let header = segment.header
            if dataset == nil { (dataset, log) = (header.dataset, header.log) }
            if header.dataset != dataset || header.log != log { problem(path, 0, "the segment belongs to another store") }
            guard header.ordinal == entry.ordinal, header.firstLSN == entry.firstLSN else {
                problem(path, 0, "the header and the name disagree", "give the file the name that its header says")
                return nil
            }
            return segment
        } catch {
            if isTrimmed(entry) {
                note(path, nil, "the log was trimmed while it was verified", "verify again for the rest")
            } else {
                problem(error, in: path)
            }
            return nil
        }
    }

    /// Whether the log begins behind a segment by now.
    private func isTrimmed(_ entry: Entry) -> Bool {
        guard let bytes = try? fileSystem.readWhole(layout.manifest, limit: 16 << 20),
            let now = try? Manifest(bytes, path: layout.manifest)
        else { return false }
        return now.firstOrdinal > entry.ordinal
    }

    private func check(_ segment: SegmentFile, isLast: Bool, next: SegmentHeader?) throws {
        let size = try segment.file.size()
        begin(segment)
        try checkWatermarkSlots(segment)
        try advance(min(size, SegmentFormat.framesStart))
        if !isLast { segment.file.dropCache() }
        let footer = try segment.footer()
        let end = expectedEnd(of: segment, isLast: isLast, next: next, footer: footer)
        let position = try scan(segment, to: end, footer: footer, isLast: isLast)
        if let end, !groups.isBroken, position.offset != end {
            problem(segment.path, position.offset, "the last group ends at \(position.offset), and the segment at \(end)")
        }
        if position.offset == end || end == nil { check(segment.watermark, footer, at: position, in: segment) }
        report.lastLSN = max(report.lastLSN, position.lastLSN)
        self.end = end == nil || position.offset == end ? position : nil
        if self.end == nil { state = nil }
    }

    /// Compares a segment's header with how the one before ended.
    private func begin(_ segment: SegmentFile) {
        let (header, start) = (segment.header, segment.start)
        groups = GroupPlaces()
        open = nil
        let before = header.predecessor
        let isFirst = header.ordinal == 1
        if isFirst, let dataset, before == SegmentHeader.Predecessor(), header.firstLSN == 1 {
            state = LogState(dataset: dataset, position: start)
        } else if let end {
            if before.ordinal != end.ordinal || before.end != end.offset || before.link != end.link
                || header.firstLSN != end.nextLSN
            {
                problem(segment.path, 0, "the segment does not begin where segment \(end.ordinal) ends")
                state = nil
            }
        } else {
            if isFirst { problem(segment.path, 0, "the first segment says that another precedes it") }
            state = nil
        }
        state?.position = start
        state?.seeks = []
        state?.checkpoint = 0
    }

    /// Where a segment ends by what others say of it; nil when nobody does.
    private func expectedEnd(
        of segment: SegmentFile, isLast: Bool, next: SegmentHeader?, footer: SegmentFooter?
    ) -> UInt64? {
        let ordinal = segment.header.ordinal
        let noted = manifest?.end(of: ordinal)?.end
        if let next, next.predecessor.ordinal == ordinal {
            if let noted, noted != next.predecessor.end {
                problem(
                    layout.manifest, nil,
                    "the manifest ends segment \(ordinal) at \(noted), and the next one says \(next.predecessor.end)")
            }
            let isBehind = next.ordinal > manifest?.lastOrdinal ?? .max
            if noted == nil, footer == nil, manifest != nil, !isBehind {
                problem(segment.path, nil, "the segment was sealed, and its footer is damaged or missing")
            }
            return next.predecessor.end
        }
        return noted ?? footer.map { SegmentFormat.align(min($0.end, 1 << 62), to: SegmentFormat.groupAlignment) }
    }

    private func checkWatermarkSlots(_ segment: SegmentFile) throws {
        var window = try ReadWindow(segment.file)
        for offset in SegmentFormat.watermarkOffsets {
            let slot = try segment.file.bytes(at: offset, count: SegmentFormat.watermarkSize)
            if Watermark(slot, salt: segment.header.salt) == nil, slot.contains(where: { $0 != 0 }) {
                note(segment.path, offset, "a watermark is torn or damaged", Self.harmless)
            }
            let rest = offset + UInt64(SegmentFormat.watermarkSize)
            try checkZeros(rest..<offset + SegmentFormat.groupAlignment, in: &window)
        }
    }

    /// Compares what a segment says of itself with what is in it.
    private func check(
        _ mark: Watermark?, _ footer: SegmentFooter?, at position: LogPosition, in segment: SegmentFile
    ) {
        groups.add(position)
        if let mark {
            let place = groups[mark.end]
            if mark.end > position.offset || (place == nil && !groups.isBroken) {
                problem(
                    segment.path, SegmentFormat.watermarkOffsets[0],
                    "a watermark says \(mark.end) was durable, where no group ends")
            } else if let place, mark.lastLSN != place.lastLSN || mark.group != place.group || mark.link != place.link {
                problem(segment.path, SegmentFormat.watermarkOffsets[0], "a watermark and the group before its end disagree")
            }
        }
        guard let footer, position.offset == SegmentFormat.align(min(footer.end, 1 << 62), to: SegmentFormat.groupAlignment)
        else { return }
        if footer.lastLSN != position.lastLSN || footer.group != position.group || footer.link != position.link
            || (groups[footer.index] == nil && !groups.isBroken) || (state.map { $0.checkpoint != footer.index } ?? false)
        {
            problem(segment.path, footer.end, "the footer and the segment disagree")
        }
    }

    /// Notes bytes that should be zero and are not.
    func checkZeros(_ range: Range<UInt64>, in window: inout ReadWindow) throws(StorageError) {
        let end = min(range.upperBound, window.size)
        guard range.lowerBound < end else { return }
        guard let bytes = try window.bytes(at: range.lowerBound, count: Int(end - range.lowerBound)) else { return }
        guard let first = bytes.firstIndex(where: { $0 != 0 }) else { return }
        note(
            window.file.path, range.lowerBound + UInt64(first - bytes.startIndex), "a byte that means nothing is not zero",
            Self.harmless)
    }
}
