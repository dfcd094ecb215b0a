import EventLog
import Storage
import Testing

@Suite struct StageCommitTests {
    private let commit = StageCommit(
        origin: ReplicaID(Digest128(high: 1, low: 2)), sequence: 300, previousChain: Digest128(high: 3, low: 4),
        chain: Digest128(high: 5, low: 6), timestamp: Timestamp(milliseconds: 7, counter: 8), parts: 9, length: 1 << 33)

    @Test func survivesItsBytes() throws {
        let bytes = commit.encode()
        #expect(try StageCommit(bytes) == commit)
        for length in bytes.indices { #expect(throws: StorageError.self) { try StageCommit(Array(bytes.prefix(length))) } }
        #expect(throws: StorageError.self) { try StageCommit(bytes + [0]) }
        #expect(throws: StorageError.self) { try StageCommit([2] + bytes.dropFirst()) }
    }

    /// A sequence is counted down from and up from; no store writes one that cannot be.
    @Test func sequencesThatCannotBeAreMalformed() {
        for sequence in [0, 1 << 62, .max] as [UInt64] {
            var impossible = commit
            impossible.sequence = sequence
            #expect(throws: StorageError.self) { try StageCommit(impossible.encode()) }
        }
    }

    @Test func itsFileIsNamedAfterIt() {
        #expect(
            commit.fileName == "00000000000000010000000000000002-000000000000012c-00000000000000050000000000000006.stage")
    }
}
