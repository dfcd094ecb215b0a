import EventLog
import Storage
import Testing

@Suite struct PartBodyTests {
    private func body(isLast: Bool) -> PartBody {
        PartBody(
            origin: ReplicaID(Digest128(high: 3, low: 4)), sequence: 300, number: 2, isLast: isLast,
            previousChain: Digest128(high: 5, low: 6), chain: Digest128(high: 7, low: 8), part: PartBytes([9, 9, 9]))
    }

    /// SPEC.md, section 3.5.
    @Test func goldenBytes() {
        var expected: [UInt8] = [1] + [0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4]  // version, origin
        expected += [0xac, 0x02, 2, 1]  // sequence, number, last
        expected += [0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 6]  // chain before
        expected += [0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 8]  // chain after
        #expect(body(isLast: true).encode() == expected + [9, 9, 9])
    }

    @Test(arguments: [true, false])
    func comesBack(isLast: Bool) throws {
        let read = try PartBody(body(isLast: isLast).encode())
        #expect(read.origin == ReplicaID(Digest128(high: 3, low: 4)))
        #expect(read.sequence == 300)
        #expect(read.number == 2)
        #expect(read.isLast == isLast)
        #expect(read.chain == (isLast ? Digest128(high: 7, low: 8) : .zero))
        #expect(read.part == PartBytes([9, 9, 9]))
    }

    @Test func whatBreaksARuleIsRefused() {
        func code(_ change: (inout [UInt8]) -> Void) -> StorageError.Code? {
            var bytes = body(isLast: false).encode()
            change(&bytes)
            return #expect(throws: StorageError.self) { try PartBody(bytes) }?.code
        }
        #expect(code { $0[0] = 2 } == .newerVersion)
        #expect(code { $0[20] = 2 } == .malformed)
        // A chain after in a part that is not the last.
        #expect(code { $0[40] = 1 } == .malformed)
        #expect(code { $0.removeSubrange(50...) } == .malformed)
        #expect(code { $0 += [UInt8](repeating: 0, count: TransactionFormat.maximumPart) } == .malformed)
    }
}
