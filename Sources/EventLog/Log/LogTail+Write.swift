import Storage

extension LogTail {
    /// Writes items as one group and makes them durable.
    ///
    /// - Parameter written: called once the group is in the file, before it is durable.
    /// - Throws: `storage` when nothing of the group is in the log, `outcomeUnknown` when that cannot be said; then the log goes on in a
    ///   new segment, or throws `readOnly` from now on.
    mutating func commit(_ items: [PendingItem], written: () -> Void) throws(LogError) {
        let encoder = GroupEncoder(items)
        if owesSegment { try beginSegment() }
        if !fits(encoder.length) { try roll() }
        let group = encoder.place(at: position, salt: segment.header.salt)
        try write(group)
        written()
        do throws(StorageError) {
            try segment.file.sync()
        } catch {
            throw LogError(
                .outcomeUnknown, "the disk failed while a commit was made durable; whether it is there shows after reopening",
                path: segment.path, offset: position.offset, underlying: error)
        }
        note(group)
    }

    private mutating func write(_ group: GroupEncoder.Group) throws(LogError) {
        let end = position.offset + UInt64(group.bytes.count)
        do throws(StorageError) {
            try segment.file.write(group.bytes.span, at: position.offset)
            try zeroAhead(of: end, length: UInt64(group.bytes.count))
        } catch {
            // Nothing was acknowledged: take back what got into the file, and the log is as it was.
            do throws(StorageError) {
                try segment.file.truncate(to: position.offset)
                try segment.file.truncate(to: position.offset + SegmentFormat.groupAlignment)
                // What failed must not be there again after the power went.
                try segment.file.sync()
                zeroedEnd = position.offset
            } catch let second {
                throw LogError(
                    .outcomeUnknown, "a commit could not be written, nor taken back; what is there shows after reopening",
                    path: segment.path, offset: position.offset, underlying: second)
            }
            throw LogError(error)
        }
    }

    private mutating func note(_ group: GroupEncoder.Group) {
        for frame in group.frames { state.apply(frame.events, of: frame.header, at: frame.offset) }
        state.position.offset = SegmentFormat.align(
            position.offset + UInt64(group.bytes.count), to: SegmentFormat.groupAlignment)
        state.position.group = group.number
        state.position.link = group.link
    }

    /// Keeps zeros behind the last group: a file that ends with a group was cut.
    ///
    /// Small commits are also faster on space that was written before: the sync then needs no journal of the file system.
    private mutating func zeroAhead(of end: UInt64, length: UInt64) throws(StorageError) {
        let start = SegmentFormat.align(end, to: SegmentFormat.groupAlignment)
        guard start >= zeroedEnd else { return }
        let count = length <= 64 << 10 ? sizes.smallestSegment : SegmentFormat.groupAlignment
        try segment.file.write([UInt8](repeating: 0, count: Int(count)).span, at: start)
        zeroedEnd = start + count
    }

    private func fits(_ length: UInt64) -> Bool {
        let isEmpty = position.group <= 1
        return isEmpty || position.offset + length + SegmentFormat.groupAlignment <= sizes.capacity(of: position.ordinal)
    }

    /// Writes an index of this segment into it; where it does not fit, the next one begins with the state all the same.
    private mutating func commitIndex() throws(LogError) {
        let index = PendingItem.frame(Frame(.index, body: state.index.encode()), [])
        if fits(GroupEncoder([index]).length) { try commit([index], written: {}) } else { try roll() }
    }

    /// Writes a watermark for the present end and makes it durable.
    ///
    /// Before a clean one, an index if reading up to here would take long.
    ///
    /// - Throws: as ``commit(_:written:)``.
    mutating func mark(isClean: Bool) throws(LogError) {
        if owesSegment { try beginSegment() }
        if isClean, position.offset - max(state.checkpoint, SegmentFormat.framesStart) > 256 << 10 {
            try commitIndex()
        }
        let mark = Watermark(
            isClean: isClean, counter: 0, end: position.offset, lastLSN: position.lastLSN, group: position.group,
            link: position.link,
            checkpoint: state.checkpoint)
        try LogError.wrap { () throws(StorageError) in
            try segment.refreshWatermark()
            try segment.write(mark)
        }
        do throws(StorageError) {
            try segment.file.sync()
        } catch {
            throw LogError(
                .outcomeUnknown, "the disk failed while a watermark was made durable", path: segment.path, underlying: error)
        }
    }
}
