import Storage

/// Lays out pending items as the frames of one group.
package struct GroupEncoder {
    /// A frame to be, with what it means.
    private struct Draft {
        var frame: Frame
        var events: [LogEvent]
    }

    /// A group as it will stand in the file, and what its frames mean.
    package struct Group {
        package var bytes: [UInt8]
        package var frames: [(header: FrameHeader, offset: UInt64, events: [LogEvent])]
        /// Number and checksum of the last frame.
        package var number: UInt32
        package var link: UInt64
    }

    private var drafts: [Draft] = []

    package init(_ items: [PendingItem]) {
        var run: [PendingItem] = []
        var size = 0
        for item in items {
            if case .transaction = item, Self.continues(run.last, item), size + item.size <= SegmentFormat.frameLimit {
                run.append(item)
                size += item.size
                continue
            }
            flush(&run)
            size = item.size
            switch item {
            case .transaction: run = [item]
            case .frame(let frame, let events): drafts.append(Draft(frame: frame, events: events))
            }
        }
        flush(&run)
    }

    package var isEmpty: Bool { drafts.isEmpty }

    /// Bytes the group takes in the file.
    package var length: UInt64 {
        drafts.reduce(0) {
            SegmentFormat.align($0, to: SegmentFormat.frameAlignment) + UInt64(SegmentFormat.frameHeaderSize)
                + UInt64($1.frame.header.storedLength)
        }
    }

    /// Numbers, links and checksums the frames for their place.
    package func place(at position: LogPosition, salt: UInt64) -> Group {
        var writer = ByteWriter(capacity: Int(length) + 64)
        var link = position.link
        var lsn = position.nextLSN
        var placed: [(FrameHeader, UInt64, [LogEvent])] = []
        for (number, draft) in drafts.enumerated() {
            writer.pad(to: Int(SegmentFormat.frameAlignment))
            let offset = position.offset + UInt64(writer.count)
            var header = draft.frame.header
            header.flags = []
            if number == 0 { header.flags.insert(.firstOfGroup) }
            if number == drafts.count - 1 { header.flags.insert(.lastOfGroup) }
            header.group = position.group + 1
            header.link = link
            header.firstLSN = lsn
            header.durableLSN = position.lastLSN
            header.append(to: &writer, salt: salt)
            writer.raw(draft.frame.stored)
            link = header.checksum
            lsn += UInt64(header.transactions)
            placed.append((header, offset, draft.events))
        }
        return Group(bytes: writer.bytes, frames: placed, number: position.group + 1, link: link)
    }

    private static func continues(_ last: PendingItem?, _ item: PendingItem) -> Bool {
        guard case .transaction(let root, let sequence, _, _, _, _)? = last,
            case .transaction(root, sequence + 1, _, _, _, _) = item
        else { return false }
        return true
    }

    /// Makes one batch of a run of transactions.
    private mutating func flush(_ run: inout [PendingItem]) {
        guard case .transaction(let root, let first, _, _, let previousChain, _)? = run.first,
            case .transaction(_, let last, _, let timestamp, _, let chain)? = run.last
        else { return }
        var writer = ByteWriter(capacity: run.reduce(96) { $0 + $1.size })
        Batch.append(
            to: &writer, origin: root.origin, firstSequence: first, count: run.count, previousChain: previousChain, chain: chain
        )
        for case .transaction(_, _, let part, _, _, _) in run {
            writer.count(part.count)
            writer.raw(part.slice)
        }
        let event = LogEvent.extend(
            root, to: BranchPosition(sequence: last, chain: chain), timestamp: timestamp, transactions: UInt32(run.count))
        drafts.append(Draft(frame: Frame(.batch, body: writer.bytes, transactions: run.count), events: [event]))
        run = []
    }
}
