import EventLog
import Projection
import Storage
import Testing

@Suite("ByteReader, records")
struct ByteReaderRecordTests {
    @Test("random records read back as they are, and no part of one passes for a record", arguments: 0..<8 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = RandomRecords(seed: seed)
        for (id, record) in random.records(60, entities: 3, plain: 20) {
            let bytes = ByteWriter.bytes(of: record)
            var reader = ByteReader(bytes)
            let read = try reader.record()
            try reader.expectEnd()
            #expect(read == record, "seed \(seed), \(id)")
            #expect(ByteWriter.bytes(of: read) == bytes, "seed \(seed), \(id)")
            for end in stride(from: 0, to: bytes.count, by: bytes.count > 500 ? 7 : 1) {
                var cut = ByteReader(bytes, 0..<end)
                #expect(throws: StorageError.self, "seed \(seed), \(id), cut at \(end)") { try cut.record() }
            }
        }
    }
}
