import EventLog
import Storage
import Testing

@Suite struct ControlRecordTests {
    private static let root = BranchRoot(
        origin: ReplicaID(Digest128(high: 1, low: 2)), firstSequence: 3, chain: Digest128(high: 4, low: 5))
    private static let position = BranchPosition(sequence: 300, chain: Digest128(high: 6, low: 7))
    private static let hold = Hold(
        after: position, timestamp: Timestamp(rawValue: 300), first: Timestamp(rawValue: 1 << 60))
    private let records: [ControlRecord] = [
        .hold(root, hold), .release(root, hold), .clock(1 << 41),
        .fork(
            root, behind: position, timestamp: Timestamp(rawValue: 9), continuation: .zero, first: Digest128(high: 8, low: 8)),
        .baseline(
            Digest128(high: 3, low: 3),
            floor: [FloorPosition(root: root, position: position, timestamp: Timestamp(rawValue: 5))]),
    ]

    @Test func surviveTheirBytes() throws {
        #expect(try ControlRecord.decode(ControlRecord.encode(records)) == records)
        #expect(try ControlRecord.decode([]).isEmpty)
        for record in records {
            let bytes = ControlRecord.encode([record])
            for length in 1..<bytes.count {
                #expect(throws: StorageError.self) { try ControlRecord.decode(Array(bytes.prefix(length))) }
            }
        }
    }

    /// A fork begins behind its position, so there must be a number behind it.
    @Test func sequencesThatCannotBeAreMalformed() {
        let position = BranchPosition(sequence: .max, chain: .zero)
        for record in [
            .fork(Self.root, behind: position, timestamp: .zero, continuation: .zero, first: .zero),
            .release(Self.root, Hold(after: position, timestamp: .zero, first: .zero)),
        ] as [ControlRecord] {
            #expect(throws: StorageError.self) { try ControlRecord.decode(ControlRecord.encode([record])) }
        }
    }

    @Test func unknownKindsAreSkippedOnlyWhereTheySaySo() throws {
        let known = ControlRecord.encode([.clock(5)])
        #expect(try ControlRecord.decode([0x85, 2, 1, 1] + known) == [.clock(5)])
        let error = #expect(throws: StorageError.self) { try ControlRecord.decode([6, 2, 1, 1] + known) }
        #expect(error?.code == .unsupported)
        // A known kind with more in it than it should have.
        #expect(throws: StorageError.self) { try ControlRecord.decode([3, 2, 1, 1]) }
    }
}
