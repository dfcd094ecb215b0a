import EventLog
import Storage
import Testing

@Suite struct GroupEncoderTests {
    private let origin = ReplicaID(Digest128(high: 1, low: 1))
    private let position = LogPosition(ordinal: 1, offset: 16_384, group: 4, link: 99, nextLSN: 10)

    /// Transactions in a row, each of `size` bytes.
    private func items(_ count: Int, size: Int, of origin: ReplicaID, from first: Int = 1) -> [PendingItem] {
        var chain = Digest128(high: 0, low: UInt64(first))
        return (first..<first + count).map { number in
            let part = PartBytes((0..<size).map { UInt8(truncatingIfNeeded: $0 &* number &* 97 >> 3) })
            let next = Chain.step(chain, part)
            defer { chain = next }
            return .transaction(
                BranchRoot(origin: origin), sequence: UInt64(number), part: part,
                timestamp: Timestamp(rawValue: UInt64(number)),
                previousChain: chain, chain: next)
        }
    }

    @Test func transactionsInARowBecomeOneBatch() throws {
        let group = GroupEncoder(items(5, size: 40, of: origin)).place(at: position, salt: 3)
        #expect(group.frames.count == 1 && group.number == 5)
        let header = try #require(FrameHeader(group.bytes, at: 0, salt: 3))
        #expect(header.flags == [.firstOfGroup, .lastOfGroup] && header.transactions == 5 && header.link == 99)
        #expect(header.firstLSN == 10 && header.durableLSN == 9 && header.group == 5)
        let batch = try Batch(try Frame(header: header, stored: group.bytes[64...]).body())
        #expect(batch.isSound && batch.firstSequence == 1 && batch.transactions.count == 5)
        guard case .extend(_, let end, let timestamp, 5)? = group.frames[0].events.first else {
            Issue.record("no event")
            return
        }
        #expect(end.sequence == 5 && end.chain == batch.chain && timestamp.rawValue == 5)
    }

    @Test func otherOriginsGapsAndFullFramesBeginANewBatch() throws {
        let other = ReplicaID(Digest128(high: 2, low: 2))
        let mixed = items(2, size: 10, of: origin) + items(1, size: 10, of: other) + items(1, size: 10, of: origin, from: 7)
        #expect(GroupEncoder(mixed).place(at: position, salt: 3).frames.map(\.header.transactions) == [2, 1, 1])
        let large = GroupEncoder(items(3, size: 600_000, of: origin)).place(at: position, salt: 3)
        #expect(large.frames.map(\.header.transactions) == [1, 1, 1])
    }

    @Test func framesAreLinkedNumberedAndAligned() throws {
        let control = PendingItem.frame(Frame(.control, body: ControlRecord.encode([.clock(5)])), [.control(.clock(5))])
        let encoder = GroupEncoder([control] + items(2, size: 700, of: origin) + [control])
        let group = encoder.place(at: position, salt: 3)
        #expect(UInt64(group.bytes.count) == encoder.length)
        var link = position.link
        var lsn = position.nextLSN
        for (number, frame) in group.frames.enumerated() {
            #expect(frame.offset % 64 == 0)
            let read = try #require(FrameHeader(group.bytes, at: Int(frame.offset - position.offset), salt: 3))
            #expect(read == frame.header && read.link == link && read.firstLSN == lsn)
            #expect(read.flags.contains(.firstOfGroup) == (number == 0) && read.flags.contains(.lastOfGroup) == (number == 2))
            link = read.checksum
            lsn += UInt64(read.transactions)
        }
        #expect(group.link == link && lsn == 12)
        #expect(GroupEncoder([]).isEmpty)
    }
}
