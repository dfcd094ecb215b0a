import Storage

extension LogTail {
    /// Seals the segment and begins the next.
    mutating func roll() throws(LogError) {
        let encoder = GroupEncoder([.frame(Frame(.index, body: state.index.encode()), [])])
        let group = encoder.place(at: position, salt: segment.header.salt)
        let footerOffset = SegmentFormat.align(position.offset + UInt64(group.bytes.count), to: SegmentFormat.frameAlignment)
        let footer = SegmentFooter(
            index: position.offset, end: footerOffset, lastLSN: position.lastLSN, group: group.number, link: group.link)
        var bytes = group.bytes
        bytes += [UInt8](repeating: 0, count: Int(footerOffset - position.offset) - bytes.count)
        bytes.append(contentsOf: footer.encode(salt: segment.header.salt))
        do throws(StorageError) {
            try segment.file.write(bytes.span, at: position.offset)
            try segment.file.truncate(to: position.offset + UInt64(bytes.count))
            try segment.file.sync()
        } catch {
            throw LogError(
                .outcomeUnknown, "the disk failed while a segment was sealed", path: segment.path, offset: position.offset,
                underlying: error)
        }
        state.position.offset = SegmentFormat.align(
            position.offset + UInt64(group.bytes.count), to: SegmentFormat.groupAlignment)
        state.position.group = group.number
        state.position.link = group.link
        try beginSegment()
    }

    /// Ends the segment where the log is now, whatever lies behind, and begins the next.
    mutating func abandonSegment() throws(LogError) {
        try beginSegment(givingUp: Manifest.End(ordinal: position.ordinal, end: position.offset))
    }

    /// Makes the next segment durable, notes it in the manifest, and goes on in it.
    ///
    /// - Parameter end: where this segment was given up, to be noted with the next one and not before: while that is not durable
    ///   another process may go on behind it.
    mutating func beginSegment(givingUp end: Manifest.End? = nil) throws(LogError) {
        owesSegment = true
        // At most one segment may be missing from the manifest.
        if isManifestBehind { try writeManifest(manifest) }
        // One that is there already may be named by the manifest, though writing that failed: making it anew could lose it.
        let next: MadeSegment
        if let made, made.follows(position) {
            next = made
        } else {
            next = try Self.createSegment(
                after: state, in: layout, environment, log: log, sizes: sizes, created: environment.clock.now())
        }
        made = next
        var changed = manifest
        if let end {
            changed.ends.removeAll { $0.ordinal == end.ordinal }
            changed.ends.append(end)
        }
        changed.lastOrdinal = next.segment.header.ordinal
        try writeManifest(changed)
        made = nil
        segment.file.close()
        segment = next.segment
        state = next.state
        zeroedEnd = next.zeroedEnd
        owesSegment = false
        isUnsynced = false
        isDistrusted = false
    }

    /// Notes durably which segments there are; believes it itself only then.
    mutating func writeManifest(_ wanted: Manifest) throws(LogError) {
        var changed = wanted
        // Another process may have trimmed the log since.
        changed.adoptFront(of: try Self.readManifest(layout, environment.fileSystem, log: log))
        // A number that failed may be in the file all the same, and is not given to something else.
        manifest.generation = max(manifest.generation, changed.generation)
        manifest.generation += 1
        changed.generation = manifest.generation
        let contents = changed.encode()
        try LogError.wrap { () throws(StorageError) in try environment.fileSystem.replace(layout.manifest, with: contents) }
        manifest = changed
        isManifestBehind = false
    }

    /// Takes the manifest as it is in the file, where others may have noted where they gave a segment up.
    mutating func refreshManifest() throws(LogError) {
        var found = try Self.readManifest(layout, environment.fileSystem, log: log)
        if found.lastOrdinal < segment.header.ordinal {
            found.adopt(segment.header)
            isManifestBehind = true
        }
        found.generation = max(found.generation, manifest.generation)
        manifest = found
    }

    /// Makes a segment that continues `state`: header, room for watermarks, an index frame, zeros; durable under its name on return.
    static func createSegment(
        after state: LogState, in layout: StoreLayout, _ environment: Environment, log: Digest128, sizes: LogSizes,
        created: UInt64
    ) throws(LogError) -> MadeSegment {
        let before = state.position
        var header = SegmentHeader(kind: .segment, dataset: state.dataset, log: log, salt: environment.random.next())
        header.ordinal = before.ordinal + 1
        header.firstLSN = before.nextLSN
        header.predecessor = SegmentHeader.Predecessor(ordinal: before.ordinal, end: before.offset, link: before.link)
        header.created = created

        var state = state
        state.position = SegmentFile.start(of: header)
        state.seeks = []
        state.checkpoint = 0
        let index = Frame(.index, body: state.index.encode())
        let group = GroupEncoder([.frame(index, [])]).place(at: state.position, salt: header.salt)
        for frame in group.frames { state.apply([], of: frame.header, at: frame.offset) }
        state.position.offset = SegmentFormat.align(
            SegmentFormat.framesStart + UInt64(group.bytes.count), to: SegmentFormat.groupAlignment)
        state.position.group = group.number
        state.position.link = group.link

        let path = layout.segment(ordinal: header.ordinal, firstLSN: header.firstLSN)
        let zeroedEnd = max(sizes.smallestSegment, state.position.offset + SegmentFormat.groupAlignment)
        var bytes = header.encode()
        bytes += [UInt8](repeating: 0, count: Int(SegmentFormat.framesStart) - bytes.count)
        bytes += group.bytes
        bytes += [UInt8](repeating: 0, count: Int(zeroedEnd) - bytes.count)
        let contents = bytes
        let file = try LogError.wrap { () throws(StorageError) in
            try environment.fileSystem.create(path, with: contents, through: layout.temporary)
        }
        return MadeSegment(
            segment: SegmentFile(file: file, path: path, header: header), state: state, zeroedEnd: zeroedEnd)
    }
}
