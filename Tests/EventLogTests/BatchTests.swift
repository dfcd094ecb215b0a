import EventLog
import Storage
import Testing

@Suite struct BatchTests {
    private let origin = ReplicaID(Digest128(high: 3, low: 4)), chain = Digest128(high: 5, low: 6)

    private func batch(_ count: Int = 3) -> Batch {
        let parts = (0..<count).map { PartBytes([UInt8](repeating: UInt8($0), count: 10 + $0 * 100)) }
        return Batch(origin: origin, firstSequence: 300, previousChain: chain, transactions: parts)
    }

    @Test func comesBack() throws {
        let batch = batch()
        let read = try Batch(batch.encode())
        #expect(read.origin == origin)
        #expect(read.firstSequence == 300)
        #expect(read.lastSequence == 302)
        #expect(read.previousChain == chain)
        #expect(read.chain == batch.chain)
        #expect(read.transactions == batch.transactions)
        #expect(read.isSound)
    }

    /// SPEC.md, section 3.5.
    @Test func goldenBytes() {
        let batch = batch(1)
        var expected: [UInt8] = [1] + [0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4]  // version, origin
        expected += [0xac, 0x02, 1]  // first sequence, count
        expected += [0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 6]  // chain before
        var writer = ByteWriter()
        writer.digest(Chain.step(chain, PartBytes([UInt8](repeating: 0, count: 10))))
        expected += writer.bytes  // chain after
        expected += [10] + [UInt8](repeating: 0, count: 10)  // the transaction
        #expect(batch.encode() == expected)
    }

    @Test func everyFlippedBitIsFound() throws {
        let bytes = batch().encode()
        for position in bytes.indices {
            for bit in 0..<8 as Range<UInt8> {
                var changed = bytes
                changed[position] ^= 1 << bit
                // Origin and sequence are proved by what the chain before is compared with.
                guard let read = try? Batch(changed), read.origin == origin, read.firstSequence == 300 else { continue }
                #expect(!read.isSound, "byte \(position), bit \(bit)")
            }
        }
    }

    @Test func everyTruncationIsRefused() {
        let bytes = batch().encode()
        for length in bytes.indices { #expect(throws: StorageError.self) { try Batch(Array(bytes[..<length])) } }
        #expect(throws: StorageError.self) { try Batch(bytes + [0]) }
    }

    /// A few bytes must not have memory taken for many transactions: each has at least its flags, its time and its empty tables.
    @Test func moreTransactionsThanTheBytesHoldAreRefused() {
        let count = 1 << 16
        var writer = ByteWriter()
        Batch.append(to: &writer, origin: origin, firstSequence: 1, count: count, previousChain: chain, chain: chain)
        writer.zeros(count)
        let error = #expect(throws: StorageError.self) { try Batch(writer.bytes) }
        #expect(error?.code == .malformed && error?.detail?.contains("a count of \(count)") == true)
    }

    @Test func anotherVersionNeedsANewerProgram() {
        var bytes = batch().encode()
        bytes[0] = 2
        #expect(#expect(throws: StorageError.self) { try Batch(bytes) }?.code == .newerVersion)
    }
}
