package import Storage

/// What an index frame holds: where to start reading in its segment, and the state of the log at its place.
///
/// SPEC.md, section 4.9.
package struct SegmentIndex: Sendable, Equatable {
    /// A frame to start reading at.
    package struct Seek: Sendable, Equatable {
        package var offset: UInt64
        package var lsn: UInt64

        package init(offset: UInt64, lsn: UInt64) {
            self.offset = offset
            self.lsn = lsn
        }
    }

    package var seeks: [Seek]
    package var branches: BranchTable
    /// The store's wall clock as last noted, in milliseconds.
    package var clock: UInt64
    /// The baselines that came from elsewhere.
    package var joined: [JoinedBaseline]

    package init(seeks: [Seek], branches: BranchTable, clock: UInt64, joined: [JoinedBaseline] = []) {
        self.seeks = seeks
        self.branches = branches
        self.clock = clock
        self.joined = joined
    }

    package func encode() -> [UInt8] {
        var writer = ByteWriter()
        writer.u8(1)
        writer.varint(clock)
        writer.count(seeks.count)
        var previous = Seek(offset: 0, lsn: 0)
        for seek in seeks {
            writer.varint(seek.offset - previous.offset)
            writer.varint(seek.lsn - previous.lsn)
            previous = seek
        }
        writer.count(branches.branches.count)
        for branch in branches.branches {
            branch.root.append(to: &writer)
            writer.count(branch.parent.map { $0 + 1 } ?? 0)
            writer.digest(branch.name.bits)
            writer.u8(branch.isForked ? 1 : 0)
            writer.append(branch.last)
            writer.u64(branch.lastTimestamp.rawValue)
            writer.append(branch.applied)
            writer.u64(branch.appliedTimestamp.rawValue)
            writer.u64(branch.heldTimestamp.rawValue)
            writer.varint(branch.changedLSN)
        }
        guard !joined.isEmpty else { return writer.bytes }
        writer.count(joined.count)
        for baseline in joined {
            writer.digest(baseline.identity)
            writer.varint(baseline.lsn)
            writer.append(baseline.floor)
        }
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(StorageError) {
        var reader = ByteReader(bytes)
        guard try reader.u8() == 1 else { throw .malformed("an index of an unknown version") }
        clock = try reader.varint()
        seeks = []
        var previous = Seek(offset: 0, lsn: 0)
        for _ in 0..<(try reader.count(max: bytes.count, minimumSize: 2)) {
            previous.offset &+= try reader.varint()
            previous.lsn &+= try reader.varint()
            seeks.append(previous)
        }
        let count = try reader.count(max: bytes.count, minimumSize: 64)
        var list: [Branch] = []
        for _ in 0..<count { list.append(try Self.branch(from: &reader, among: count)) }
        branches = BranchTable(list)
        guard branches.isForest else { throw reader.failure("branches that grow from each other in a circle") }
        joined = []
        if !reader.isAtEnd {
            let count = try reader.count(max: bytes.count, minimumSize: 18)
            guard count > 0 else { throw reader.failure("a list of baselines without any") }
            for _ in 0..<count {
                joined.append(
                    JoinedBaseline(
                        identity: try reader.digest(), lsn: try reader.varint(), floor: try reader.floorPositions()))
            }
        }
        try reader.expectEnd()
    }

    private static func branch(from reader: inout ByteReader, among count: Int) throws(StorageError) -> Branch {
        let root = try BranchRoot(from: &reader)
        let parent = try reader.varint()
        guard parent <= UInt64(count) else { throw reader.failure("a branch with an unknown parent") }
        let name = ReplicaID(try reader.digest())
        let isForked = try reader.u8() == 1
        let last = try reader.position()
        var branch = Branch(
            root: root, parent: parent == 0 ? nil : Int(parent) - 1, name: name, last: last,
            lastTimestamp: Timestamp(rawValue: try reader.u64()))
        branch.isForked = isForked
        branch.applied = try reader.position()
        branch.appliedTimestamp = Timestamp(rawValue: try reader.u64())
        branch.heldTimestamp = Timestamp(rawValue: try reader.u64())
        branch.changedLSN = try reader.varint()
        return branch
    }
}
