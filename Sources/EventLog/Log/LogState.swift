// Invariants
// * A function of the frames before `position` and of nothing else: the writer, a reader and recovery reach the same state.
// * `seeks` are of the segment `position` lies in.

import Storage

/// What is known of a log at a place in it.
package struct LogState: Sendable, Equatable {
    package let dataset: DatasetID
    package var position: LogPosition
    package var branches: BranchTable
    /// The highest wall clock noted, in milliseconds.
    package var clock: UInt64
    package var seeks: [SegmentIndex.Seek] = []
    /// The last index frame in the segment, 0 for none.
    package var checkpoint: UInt64 = 0
    /// The baselines that came from elsewhere, in the order in which they came.
    package var joined: [JoinedBaseline] = []
    /// Holds noted for branches whose next transactions they meet.
    private var holds: [BranchRoot: Hold] = [:]

    package init(dataset: DatasetID, position: LogPosition, branches: BranchTable = BranchTable(), clock: UInt64 = 0) {
        self.dataset = dataset
        self.position = position
        self.branches = branches
        self.clock = clock
    }

    /// Takes note of an event.
    ///
    /// Transactions get the next LSNs.
    package mutating func apply(_ event: LogEvent) {
        switch event {
        case .extend(let root, let target, let timestamp, let transactions):
            let number =
                branches.number(of: root)
                ?? branches.begin(root.origin, chain: Chain.start(dataset: dataset, origin: root.origin))
            position.nextLSN += UInt64(transactions)
            branches.extend(
                number, to: target, timestamp: timestamp, lsn: position.lastLSN, hold: holds.removeValue(forKey: root))
        case .control(.hold(let root, let hold)):
            holds[root] = hold
        case .control(.release(let root, let hold)):
            // Noted under the LSN of the next transaction, so that its writer's context has it.
            if let number = branches.number(of: root) { branches.release(number, through: hold, lsn: position.nextLSN) }
        case .control(.clock(let milliseconds)):
            clock = max(clock, milliseconds)
        case .control(.baseline(let identity, let floor)):
            for place in floor { branches.leap(place, dataset: dataset, lsn: position.nextLSN) }
            // Without a file: branches are laid out for the record that follows.
            if identity != .zero { joined.append(JoinedBaseline(identity: identity, lsn: position.lastLSN, floor: floor)) }
        case .control(.fork(let root, let behind, let timestamp, let continuation, let first)):
            if let number = branches.number(of: root) {
                _ = branches.fork(
                    number, behind: behind, timestamp: timestamp, continuation: continuation == .zero ? nil : continuation,
                    first: first, lsn: position.nextLSN)
            }
        }
    }

    /// Takes note of a frame at `offset` of the current segment.
    package mutating func apply(_ events: [LogEvent], of header: FrameHeader, at offset: UInt64) {
        // Only the start of a group, so that a reader never begins inside a transaction.
        let isDue = seeks.last.map { offset >= $0.offset + SegmentFormat.seekInterval } ?? true
        if header.flags.contains(.firstOfGroup), isDue {
            seeks.append(SegmentIndex.Seek(offset: offset, lsn: header.firstLSN))
        }
        if header.kind == .index { checkpoint = offset }
        for event in events { apply(event) }
    }

    /// The index of the current segment so far.
    package var index: SegmentIndex { SegmentIndex(seeks: seeks, branches: branches, clock: clock, joined: joined) }
}
