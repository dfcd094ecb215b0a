import EventLog
import Storage
import Testing

@Suite struct SegmentIndexTests {
    private func index() -> SegmentIndex {
        var table = BranchTable()
        let origin = ReplicaID(Digest128(high: 1, low: 1))
        let number = table.begin(origin, chain: Digest128(high: 0, low: 9))
        let position = { (sequence: UInt64) in BranchPosition(sequence: sequence, chain: Digest128(high: sequence, low: 0)) }
        table.extend(number, to: position(5), timestamp: Timestamp(rawValue: 5), lsn: 5)
        _ = table.fork(
            number, behind: position(3), timestamp: Timestamp(rawValue: 3), continuation: Digest128(high: 4, low: 0),
            first: Digest128(high: 4, low: 1), lsn: 6)
        let other = table.begin(ReplicaID(Digest128(high: 2, low: 2)), chain: .zero)
        table.extend(
            other, to: position(8), timestamp: Timestamp(rawValue: 8), lsn: 9,
            hold: Hold(after: position(6), timestamp: Timestamp(rawValue: 6), first: Timestamp(rawValue: 7)))
        let seeks = [SegmentIndex.Seek(offset: 12_288, lsn: 1), .init(offset: 90_000, lsn: 4), .init(offset: 200_000, lsn: 4)]
        return SegmentIndex(seeks: seeks, branches: table, clock: 1 << 40)
    }

    @Test func baselinesFromElsewhereSurviveToo() throws {
        let root = BranchRoot(origin: ReplicaID(Digest128(high: 1, low: 2)))
        let place = FloorPosition(
            root: root, position: BranchPosition(sequence: 7, chain: Digest128(high: 3, low: 4)),
            timestamp: Timestamp(rawValue: 5))
        var index = index()
        index.joined = [JoinedBaseline(identity: Digest128(high: 9, low: 9), lsn: 400, floor: [place])]
        let bytes = index.encode()
        #expect(try SegmentIndex(bytes) == index)
        for length in index.encode().count - 40..<bytes.count {
            #expect(throws: StorageError.self) { try SegmentIndex(Array(bytes.prefix(length))) }
        }
    }

    @Test func survivesItsBytes() throws {
        let read = try SegmentIndex(index().encode())
        #expect(read == index())
        #expect(read.branches.hasForks && read.branches.positions(applied: true).count == 2)
    }

    /// Whoever walks from a branch to what it grew from must arrive.
    @Test func branchesThatGrowFromEachOtherAreMalformed() {
        let origin = ReplicaID(Digest128(high: 1, low: 1))
        let branches = [1, 0].map { parent in
            Branch(
                root: BranchRoot(origin: origin), parent: parent, name: origin,
                last: BranchPosition(sequence: 1, chain: .zero), lastTimestamp: .zero)
        }
        let index = SegmentIndex(seeks: [], branches: BranchTable(branches), clock: 0)
        #expect(throws: StorageError.self) { try SegmentIndex(index.encode()) }
    }

    @Test func sequencesThatCannotBeAreMalformed() {
        let origin = ReplicaID(Digest128(high: 1, low: 1))
        let branch = Branch(
            root: BranchRoot(origin: origin), parent: nil, name: origin,
            last: BranchPosition(sequence: .max, chain: .zero), lastTimestamp: .zero)
        let index = SegmentIndex(seeks: [], branches: BranchTable([branch]), clock: 0)
        #expect(throws: StorageError.self) { try SegmentIndex(index.encode()) }
    }

    @Test func shorterOrLongerBytesAreMalformed() {
        let bytes = index().encode()
        for length in bytes.indices { #expect(throws: StorageError.self) { try SegmentIndex(Array(bytes.prefix(length))) } }
        #expect(throws: StorageError.self) { try SegmentIndex(bytes + [0]) }
        #expect(throws: StorageError.self) { try SegmentIndex([9] + bytes.dropFirst()) }
    }
}
