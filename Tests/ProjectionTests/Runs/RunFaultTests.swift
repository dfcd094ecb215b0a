import EventLog
import Projection
import Simulation
import Storage
import Testing

@Suite("Run, damaged")
struct RunFaultTests {
    private func small() throws -> (fixture: RunFixture, records: [(id: ObjectID, record: ObjectRecord)]) {
        var random = RandomRecords(seed: 11)
        let records = random.records(14, entities: 2, plain: 50)
        let fixture = try RunFixture()
        try fixture.write(records)
        return (fixture, records)
    }

    @Test("any byte changed gives an error or the same contents")
    func flips() throws {
        let (fixture, records) = try small()
        let sound = try fixture.bytes()
        let expected = try RunFixture.contents(try fixture.open(), of: records)
        var caught = 0
        for offset in sound.indices {
            var bytes = sound
            bytes[offset] ^= 1 << UInt8(offset % 8)
            try fixture.overwrite(with: bytes)
            do {
                let contents = try RunFixture.contents(try fixture.open(), of: records)
                #expect(contents == expected, "byte \(offset) of \(sound.count)")
            } catch let error as StorageError {
                #expect(error.code == .malformed || error.code == .newerVersion, "byte \(offset): \(error)")
                #expect(error.path == RunFixture.path && error.offset != nil, "byte \(offset): \(error)")
                caught += 1
            }
        }
        #expect(caught == sound.count, "every byte is covered by a checksum or compared")
    }

    @Test("a run cut short anywhere is refused when it is opened")
    func cuts() throws {
        let (fixture, _) = try small()
        let sound = try fixture.bytes()
        for end in sound.indices {
            try fixture.overwrite(with: Array(sound[..<end]))
            #expect(throws: StorageError.self, "cut at \(end)") { try fixture.open() }
        }
    }

    @Test("damage that checksums do not show is an error or other values, never a crash")
    func damageUnderChecksums() throws {
        let (fixture, records) = try small()
        let forgery = try RunForgery(try fixture.bytes())
        #expect(forgery.chunks.count > 20)
        var random = SplitMix64(seed: 5)
        var refused = 0
        for range in forgery.chunks.map(\.range) + [forgery.directory] {
            for _ in 0..<40 {
                var bytes = forgery.bytes
                for _ in 0..<(random.next() % 3 + 1) {
                    let offset = range.lowerBound + Int(random.next() % UInt64(range.count))
                    bytes[offset] = UInt8(truncatingIfNeeded: random.next())
                }
                try fixture.overwrite(with: forgery.sealed(bytes))
                do { _ = try RunFixture.contents(try fixture.open(), of: records) } catch is StorageError { refused += 1 }
            }
        }
        #expect(refused > 400)
    }

    @Test("a read that fails is reported, and the next one succeeds")
    func failingReads() throws {
        let (fixture, records) = try small()
        let expected = try RunFixture.contents(try fixture.open(), of: records)
        var index = 0
        while true {
            fixture.files.failOperation(at: index, operations: [.read, .open])
            let before = fixture.files.failureCount
            let contents = Result { try RunFixture.contents(try fixture.open(), of: records) }
            let failed = fixture.files.failureCount > before
            fixture.files.clearFaults()
            guard failed else {
                #expect(try contents.get() == expected)
                break
            }
            #expect(throws: StorageError.self) { try contents.get() }
            #expect(try RunFixture.contents(try fixture.open(), of: records) == expected)
            index += 1
        }
        #expect(index > 10)
    }
}
