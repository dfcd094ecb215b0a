import Storage

extension LogTail {
    /// Reads to the end of the log and mends what a crash left there.
    ///
    /// The caller holds the writers' lock.
    ///
    /// - Parameter wasInterrupted: nobody vouches for what is not proved durable: another boot, or no shared page.
    /// - Throws: `corrupt` when acknowledged data is damaged; nothing was changed then.
    mutating func recover(wasInterrupted: Bool, _ shared: SharedState) throws(LogError) -> RecoveryReport {
        do throws(LogError) {
            return try recover(
                wasInterrupted: wasInterrupted, published: wasInterrupted ? nil : shared.published,
                abandoned: wasInterrupted ? 0 : shared.abandoned)
        } catch {
            // Nobody else is to believe the cache either.
            if isDistrusted { shared.abandon(position.ordinal) }
            throw error
        }
    }

    /// - Parameters:
    ///   - published: what a process of this boot said is durable; nil when none did.
    ///   - abandoned: the ordinal of the last segment whose sync failed in this boot; 0 for none.
    private mutating func recover(
        wasInterrupted: Bool, published: SharedState.Published?, abandoned: UInt64
    ) throws(LogError) -> RecoveryReport {
        if published == nil { try beginAgainIfTrimmed() }
        let isBehind = published?.isAhead(of: position) ?? false
        if let published, isBehind {
            let ordinal = position.ordinal
            try follow(to: published)
            // Who began another segment did what depends on it.
            if position.ordinal != ordinal { owesReport = nil }
        }
        let isGivenUp = isDistrusted || position.ordinal == abandoned
        if let published, !isGivenUp, try isUntouched(since: published, isBehind: isBehind) { return RecoveryReport() }
        try refreshManifest()
        if isGivenUp { try giveUpSegment(published) }
        let scanner = try follow()
        try LogError.wrap { () throws(StorageError) in try segment.refreshWatermark() }
        var evidence = try evidence(scanner)
        evidence.announced = published?.durableLSN ?? 0
        var report = RecoveryReport()
        switch evidence.verdict {
        case .corrupt(let offset, let reason):
            throw LogError(
                .corrupt,
                "acknowledged data is damaged: \(reason); open the store for reading, restore it from a backup, or repair it from a replica",
                path: segment.path, offset: offset)
        case .clean: break
        case .junk: report.tail = .junk
        case .torn: report.tail = .torn
        case .uncertain: report.tail = .uncertain
        }
        let isClosed = segment.watermark.map { $0.isClean && $0.end == position.offset } ?? false
        report.wasUnclean = wasInterrupted && !isClosed
        // What survived only in memory must not be shown and then lost.
        if isUnsynced || report.wasUnclean || report.tail != .clean { try syncRecovered() }
        if isManifestBehind {
            // Its maker stopped in the middle: that the segment has its name may not be durable either.
            try LogError.wrap { () throws(StorageError) in try environment.fileSystem.syncDirectory(layout.log) }
            try writeManifest(manifest)
        }
        if report.tail != .clean, let nonZero = evidence.nonZero { report.quarantined = try quarantine(nonZero) }
        let isSealed = try LogError.wrap { () throws(StorageError) in try segment.footer() } != nil
        if report.tail != .clean || report.wasUnclean {
            if report.tail != .clean { owesReport = report.tail }
            try abandonSegment()
        } else if isSealed || evidence.end != nil {
            try beginSegment()
        } else {
            zeroedEnd = evidence.size
        }
        // Somebody began to cut it and could not go on; what depends on a cut is still to be done.
        if isGivenUp || evidence.end != nil, report.tail == .clean { report.tail = .torn }
        // So did this process, which then failed to begin the next segment.
        if let owed = owesReport, report.tail == .clean { report.tail = owed }
        owesReport = nil
        return report
    }

    /// Makes durable what was read.
    ///
    /// When that fails, the segment is given up by the next attempt, as after a commit: a second sync would succeed and say nothing.
    private mutating func syncRecovered() throws(LogError) {
        do throws(StorageError) {
            try segment.file.sync()
        } catch {
            isDistrusted = true
            throw LogError(error)
        }
        isUnsynced = false
    }

    /// Goes back to what the device has of a segment that could not be made durable.
    mutating func rewind() throws(LogError) {
        try reopenSegment()
        // The index it was read from may be among what was lost.
        state = try Self.state(of: segment, dataset: state.dataset)
    }

    /// Ends a segment whose sync failed, in this process or in another which then could not end it: the cache may show what the device
    /// has lost.
    private mutating func giveUpSegment(_ published: SharedState.Published?) throws(LogError) {
        let ordinal = position.ordinal
        try rewind()
        try follow()
        if let published, published.isAhead(of: position) {
            throw LogError(
                .corrupt,
                "acknowledged data is damaged: offset \(published.end) was durable; open the store for reading, restore it from a backup, or repair it from a replica",
                path: segment.path, offset: position.offset)
        }
        if position.ordinal == ordinal {
            owesReport = .torn
            try abandonSegment()
        }
    }

    /// Whether the log ends where it was published to end and nobody began to write behind: one place is looked at, and not the rest of
    /// the segment.
    ///
    /// A process that dies while it writes leaves a beginning of what it wrote, for the cache outlives it.
    ///
    /// - Parameter isBehind: somebody else wrote since this process last looked.
    private mutating func isUntouched(since published: SharedState.Published, isBehind: Bool) throws(LogError) -> Bool {
        guard !isManifestBehind, !owesSegment, manifest.end(of: position.ordinal) == nil, published.ordinal == position.ordinal,
            published.end == position.offset
        else { return false }
        let next = layout.segment(ordinal: position.ordinal + 1, firstLSN: position.nextLSN)
        // The size is asked for only after somebody else wrote: a file that was asked has its times changed by its next write, and
        // the sync of that write then writes the inode as well, which is one more round to the device.
        let (header, size, isLast) = try LogError.wrap { () throws(StorageError) in
            (
                try segment.file.bytes(at: position.offset, count: SegmentFormat.frameHeaderSize),
                isBehind || zeroedEnd <= position.offset ? try segment.file.size() : zeroedEnd,
                try environment.fileSystem.attributes(of: next) == nil
            )
        }
        guard isLast, header.count == SegmentFormat.frameHeaderSize, header.allSatisfy({ $0 == 0 }) else { return false }
        zeroedEnd = size
        return true
    }

    /// What lies at the end, for a store that is only read.
    func evidence(_ scanner: GroupScanner) throws(LogError) -> TailEvidence {
        try LogError.wrap { () throws(StorageError) in
            try TailEvidence(
                segment, scanned: scanner, endsInIndex: state.checkpoint > SegmentFormat.framesStart,
                end: manifest.end(of: position.ordinal)?.end)
        }
    }

    /// Copies bytes of the segment to `quarantine/`, durably.
    private func quarantine(_ range: Range<UInt64>) throws(LogError) -> String {
        let path = "\(layout.quarantine)/\(Digest128.hex(position.ordinal))-\(Digest128.hex(range.lowerBound)).bytes"
        try LogError.wrap { () throws(StorageError) in
            let bytes = try segment.file.bytes(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
            try environment.fileSystem.replace(path, with: bytes)
        }
        return path
    }

    /// After a write or sync failed and could not be undone: reads back what the device has, ends the segment there, and goes on in
    /// a new one.
    mutating func salvage() throws(LogError) {
        try reopenSegment()
        try follow()
        try abandonSegment()
    }

    /// Opens the segment anew, for reading, so that what is read is what the device has.
    private mutating func reopenSegment() throws(LogError) {
        segment.file.dropCache()
        // A new handle: what the old one says of the file is not to be trusted. The old one stays until there is one.
        let next = try SegmentFile.open(segment.path, for: .read, in: environment.fileSystem)
        segment.file.close()
        segment = next
        // A write that could not be taken back may still be in the cache alone; what is read must be on the device.
        try LogError.wrap { () throws(StorageError) in try segment.file.sync() }
        segment.file.dropCache()
    }
}
