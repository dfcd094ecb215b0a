import Storage

extension LogTail {
    /// Reads to the end of the log and mends what a crash left there.
    ///
    /// The caller holds the writers' lock.
    ///
    /// - Parameters:
    ///   - wasInterrupted: nobody vouches for what is not proved durable: another boot, or no shared page.
    ///   - published: what a process of this boot said is durable; nil when none did.
    ///   - abandoned: the segment that a process of this boot gave up last; 0 for none.
    /// - Throws: `corrupt` when acknowledged data is damaged; nothing was changed then.
    mutating func recover(
        wasInterrupted: Bool, published: SharedState.Published?, abandoned: UInt64
    ) throws(LogError) -> RecoveryReport {
        if abandoned >= position.ordinal {
            // What the cache shows of a file whose sync failed need not be on the device.
            segment.file.dropCache()
        } else if let published, !wasInterrupted, try isUntouched(since: published) {
            return RecoveryReport()
        }
        let before = position
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
        // Whoever gave the segment up could not begin the next one.
        if abandoned >= position.ordinal, report.tail == .clean { report.tail = .uncertain }
        let isClosed = segment.watermark.map { $0.isClean && $0.end == position.offset } ?? false
        report.wasUnclean = wasInterrupted && !isClosed
        // What survived only in memory must not be shown and then lost.
        if position != before || report.wasUnclean || report.tail != .clean {
            try LogError.wrap { () throws(StorageError) in try segment.file.sync() }
        }
        if isManifestBehind {
            // Its maker stopped in the middle: that the segment has its name may not be durable either.
            try LogError.wrap { () throws(StorageError) in try environment.fileSystem.syncDirectory(layout.log) }
            try writeManifest()
        }
        if let nonZero = evidence.nonZero { report.quarantined = try quarantine(nonZero) }
        let isSealed = try LogError.wrap { () throws(StorageError) in try segment.footer() } != nil
        if report.tail != .clean || report.wasUnclean {
            try abandonSegment()
        } else if isSealed {
            try beginSegment()
        } else {
            zeroedEnd = evidence.size
        }
        return report
    }

    /// Whether the log ends where it was published to end and nobody began to write behind: one place is looked at, and not the rest of
    /// the segment.
    ///
    /// A process that dies while it writes leaves a beginning of what it wrote, for the cache outlives it.
    private mutating func isUntouched(since published: SharedState.Published) throws(LogError) -> Bool {
        let isBehind = published.isAhead(of: position)
        if isBehind { try follow(to: published) }
        guard !isManifestBehind, !owesSegment, published.ordinal == position.ordinal, published.end == position.offset else {
            return false
        }
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
            try TailEvidence(segment, scanned: scanner, endsInIndex: state.checkpoint > SegmentFormat.framesStart)
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
        let path = segment.path
        segment.file.dropCache()
        segment.file.close()
        // A new handle: what the old one says of the file is not to be trusted.
        segment = try SegmentFile.open(path, for: .read, in: environment.fileSystem)
        // A write that could not be taken back may still be in the cache alone; what is read must be on the device.
        try LogError.wrap { () throws(StorageError) in try segment.file.sync() }
        segment.file.dropCache()
        try follow()
        try abandonSegment()
    }
}
