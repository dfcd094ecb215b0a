import Storage

// The groups of a segment, and what is done where there is none.
extension StoreVerifier {
    /// Checks the groups of a segment up to `end`, or to what was durable; returns where the last one ends.
    func scan(_ segment: SegmentFile, to end: UInt64?, footer: SegmentFooter?, isLast: Bool) throws -> LogPosition {
        let before = readLive()
        var scanner = try GroupScanner(segment.file, salt: segment.header.salt, from: segment.start)
        var padding = try ReadWindow(segment.file)
        while end.map({ scanner.position.offset < $0 }) ?? true {
            let start = scanner.position
            if let group = try scanner.next() {
                groups.add(start)
                try check(group, after: start, in: segment)
                for (frame, next) in zip(group, group.dropFirst().map(\.offset) + [scanner.position.offset]) {
                    // The footer lies where a next group would be aligned away from.
                    let zeros = min(next, footer?.end ?? .max)
                    if frame.end < zeros { try checkZeros(frame.end..<zeros, in: &padding) }
                }
                state?.position = scanner.position
                try advance(scanner.position.offset - start.offset)
                continue
            }
            if end == nil, isLast, try isTheEnd(segment, scanner, before: before) { break }
            // Nobody says where this segment ends, which was reported: what can be read is what there is.
            if end == nil, !isLast, try !hasFrame(segment, behind: scanner.position) { break }
            guard let resumed = try skipDamage(segment, from: start, to: end) else { break }
            scanner = resumed
        }
        return scanner.position
    }

    private func check(_ group: [GroupScanner.Located], after start: LogPosition, in segment: SegmentFile) throws {
        var size = 0
        for located in group {
            let header = located.frame.header
            size += Int(header.logicalLength)
            if header.durableLSN > start.lastLSN {
                problem(segment.path, located.offset, "a frame says \(header.durableLSN) was durable before it was written")
            }
            try check(located, in: segment.path)
        }
        if group.count > 1, size > SegmentFormat.groupLimit + SegmentFormat.frameLimit {
            problem(segment.path, start.offset, "a group of \(size) bytes, more than any may have", Self.report)
        }
        if open != nil {
            problem(segment.path, start.offset, "a group ends in the middle of a transaction")
            forget()
        }
    }

    /// Whether the log may end where a scan of the last segment stopped; if not, says why.
    private func isTheEnd(_ segment: SegmentFile, _ scanner: GroupScanner, before: SharedState.Published?) throws -> Bool {
        // Only once: behind damage there is no end to judge.
        if groups.isBroken { return try !hasFrame(segment, behind: scanner.position) }
        guard scanner.position.offset > SegmentFormat.framesStart else {
            // A segment has its first index before it has its name.
            problem(segment.path, SegmentFormat.framesStart, "the first frame of the segment is missing or damaged")
            return false
        }
        var segment = segment
        try segment.refreshWatermark()
        let evidence = try TailEvidence(
            segment, scanned: scanner, endsInIndex: state.map { $0.checkpoint > SegmentFormat.framesStart } ?? false)
        let stop = scanner.position.offset
        if evidence.verdict == .clean {
            let isClosed = segment.watermark.map { $0.isClean && $0.end == stop } ?? false
            if !isClosed, live == nil {
                note(segment.path, stop, "the store was not closed", "nothing to do: opening it for writing mends that")
            }
            return true
        }
        let isVouchedFor = live.map { scanner.position.lastLSN >= $0.durableLSN } ?? false
        if isVouchedFor, try readLive()?.commits != before?.commits || goesOn(segment, scanner.position) {
            note(
                segment.path, stop,
                "the store is being written to; it was checked up to transaction \(scanner.position.lastLSN)",
                "verify again for the rest")
            return true
        }
        let cut = "nothing to do: it is cut off and kept in quarantine/ when the store is opened for writing"
        switch evidence.verdict {
        case .clean: break
        case .junk: note(segment.path, stop, "bytes behind the end that no commit wrote", cut)
        case .torn: note(segment.path, stop, "a commit that was never acknowledged lies torn at the end", cut)
        case .uncertain where isVouchedFor: note(segment.path, stop, "an unfinished commit lies at the end", cut)
        case .uncertain:
            problem(
                segment.path, stop,
                "the last commit is unreadable from its first byte; that it was acknowledged cannot be ruled out",
                "sync with a replica that may have it, or open the store for writing, which cuts it off and keeps it")
        case .corrupt(let offset, let reason):
            problem(segment.path, offset, "acknowledged data is damaged: \(reason)")
            return false
        }
        return true
    }

    /// Whether a group stands now where a scan found none: a writer was faster.
    private func goesOn(_ segment: SegmentFile, _ position: LogPosition) throws -> Bool {
        var scanner = try GroupScanner(segment.file, salt: segment.header.salt, from: position)
        return try scanner.next() != nil
    }

    private func hasFrame(_ segment: SegmentFile, behind position: LogPosition) throws -> Bool {
        try nextGroup(in: segment, from: position.offset, to: nil, after: position) != nil
    }
}

extension GroupScanner.Located {
    /// Behind the last byte of the body.
    var end: UInt64 { offset + UInt64(SegmentFormat.frameHeaderSize) + UInt64(frame.header.storedLength) }
}
