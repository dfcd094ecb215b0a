// Invariants
// * `state` is the state of the log as durable, at `state.position`, which lies in `segment`; unless `isUnsynced` or `isDistrusted`.
// * `manifest` is what the file says, and the segment that it lacks while `isManifestBehind`: never what is only about to be written.
// * Only the holder of the writers' lock calls what writes. One group at most is written and not yet synced.
// * After a failed write or sync that could not be undone the segment is given up and never written again.

import Storage

/// The end of a log: the segment that grows, and what is known up to there.
struct LogTail: Sendable {
    let layout: StoreLayout
    let environment: Environment
    let log: Digest128
    let mode: OpenMode
    let sizes: LogSizes
    var manifest: Manifest
    var segment: SegmentFile
    var state: LogState
    var frameEvents = FrameEvents()
    /// This segment has ended, sealed or given up, and the next could not be begun yet: nothing may be written before it is.
    var owesSegment = false
    /// The next segment, made but not surely named by the manifest.
    var made: MadeSegment?
    /// The manifest in the file does not name the last segment yet.
    var isManifestBehind = false
    /// Something was read that nobody said is durable, and it was not synced since.
    var isUnsynced = false
    /// What was read in this segment could not be made durable: it is read again from the device, and the segment is given up.
    var isDistrusted = false
    /// The end of the log was cut off, or nobody vouches for it, and who writes has not been told so yet.
    var owesReport: RecoveryReport.Tail?
    /// The bytes before this offset were written once, as zeros at least.
    var zeroedEnd: UInt64 = 0

    var position: LogPosition { state.position }

    /// Reads on from where the state stands: the groups that are there, in this segment and in those that follow it.
    ///
    /// Returns what the last scan found at the end.
    @discardableResult
    mutating func follow() throws(LogError) -> GroupScanner {
        let before = position
        defer { if position != before { isUnsynced = true } }
        while true {
            let scanner = try scan(to: .max)
            guard try advanceToNextSegment() else { return scanner }
        }
    }

    /// Reads on to what was published as durable and no further, without the writers' lock.
    ///
    /// Stops before it where something is not readable.
    mutating func follow(to published: SharedState.Published) throws(LogError) {
        if isDistrusted { try rewind() }
        // Where segments were given up is in the manifest by the time the next one has something durable.
        if position.ordinal < published.ordinal {
            try beginAgainIfTrimmed()
            manifest = try Self.readManifest(layout, environment.fileSystem, log: log)
        }
        while position.ordinal < published.ordinal {
            try scan(to: .max)
            guard try advanceToNextSegment() else { return }
        }
        if position.ordinal == published.ordinal { try scan(to: published.end) }
    }

    /// Looks again where the log begins; when what this was in was trimmed away, goes on from what is there.
    mutating func beginAgainIfTrimmed() throws(LogError) {
        guard try Self.readManifest(layout, environment.fileSystem, log: log).firstOrdinal > position.ordinal else { return }
        let again = try Self.open(layout, environment, log: log, dataset: state.dataset, for: mode, sizes: sizes)
        segment.file.close()
        made?.segment.file.close()
        self = again
    }

    @discardableResult
    private mutating func scan(to stop: UInt64) throws(LogError) -> GroupScanner {
        var scanner = try LogError.wrap { () throws(StorageError) in
            try GroupScanner(segment.file, salt: segment.header.salt, from: position)
        }
        let end = min(stop, manifest.end(of: position.ordinal)?.end ?? .max)
        // Transactions end with their group; what an earlier scan stopped over is read again.
        frameEvents = FrameEvents()
        while position.offset < end {
            guard let group = try LogError.wrap({ () throws(StorageError) in try scanner.next() }) else { break }
            for located in group {
                let events = try LogError.damage(in: segment.path, at: located.offset) { () throws(StorageError) in
                    try frameEvents.events(of: located.frame, in: state.branches, dataset: state.dataset)
                }
                state.apply(events, of: located.frame.header, at: located.offset)
            }
            state.position = scanner.position
        }
        return scanner
    }

    /// Goes to the segment after this one if there is one that begins where this one ends.
    private mutating func advanceToNextSegment() throws(LogError) -> Bool {
        let path = layout.segment(ordinal: position.ordinal + 1, firstLSN: position.nextLSN)
        guard try LogError.wrap({ () throws(StorageError) in try environment.fileSystem.attributes(of: path) }) != nil else {
            return false
        }
        let next = try SegmentFile.open(path, for: mode, in: environment.fileSystem)
        let predecessor = next.header.predecessor
        guard predecessor.ordinal == position.ordinal, predecessor.end == position.offset, predecessor.link == position.link
        else {
            return false
        }
        // Who made the segment may have noted more than that it is there.
        manifest = try Self.readManifest(layout, environment.fileSystem, log: log)
        let isMissing = next.header.ordinal > manifest.lastOrdinal
        if isMissing { manifest.adopt(next.header) }
        // What this process could not finish need not be durable because the file says so.
        if isMissing || owesSegment { isManifestBehind = true }
        segment.file.close()
        enter(next)
        return true
    }

    mutating func enter(_ next: SegmentFile) {
        made?.segment.file.close()
        made = nil
        segment = next
        state.position = next.start
        state.seeks = []
        state.checkpoint = 0
        zeroedEnd = 0
        owesSegment = false
        isDistrusted = false
    }
}
