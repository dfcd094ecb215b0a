import EventLog
import Storage
import Testing

@Suite struct ForkNameTests {
    /// SPEC.md, section 5.8, spelled out.
    @Test func followsTheSpecification() {
        let branch = ReplicaID(Digest128(high: 0, low: 1))
        let chain = Digest128(high: 0, low: 2)
        var bytes = Array("strandline-fork-1".utf8)
        bytes += Array(repeating: 0, count: 15) + [1]
        bytes += [3, 0, 0, 0, 0, 0, 0, 0]
        bytes += Array(repeating: 0, count: 15) + [2]
        #expect(
            ForkName.derive(from: branch, sequence: 3, chain: chain) == ReplicaID(Checksum.xxh3Wide(bytes.span)))
    }
}
