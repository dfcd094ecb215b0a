import EventLog
import Storage
import Testing

@Suite struct ChainTests {
    private let dataset = DatasetID(Digest128(high: 1, low: 2)), origin = ReplicaID(Digest128(high: 3, low: 4))

    private func bytes(_ digest: Digest128) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: digest.high >> (56 - $0 * 8)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: digest.low >> (56 - $0 * 8)) }
    }

    private func hash(_ bytes: [UInt8]) -> Digest128 { Checksum.xxh3Wide(bytes.span) }

    /// SPEC.md, section 3.3, spelled out.
    @Test func startAndStepFollowTheSpecification() {
        let start = Chain.start(dataset: dataset, origin: origin)
        #expect(start == hash(Array("strandline-chain-1".utf8) + bytes(dataset.bits) + bytes(origin.bits)))
        let one = PartBytes([1, 2, 3])
        let two = PartBytes([9, 4, 5, 9], 1..<3)
        #expect(Chain.step(start, one) == hash(bytes(start) + bytes(hash([1, 2, 3]))))
        #expect(
            Chain.step(start, digests: [one.digest, two.digest])
                == hash(bytes(start) + bytes(hash([1, 2, 3])) + bytes(hash([4, 5]))))
    }
}
