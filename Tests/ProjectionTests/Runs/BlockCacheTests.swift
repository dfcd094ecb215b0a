import EventLog
import Projection
import Simulation
import Storage
import Testing

@Suite("BlockCache")
struct BlockCacheTests {
    private func fixture(budget: Int) throws -> (fixture: RunFixture, records: [(id: ObjectID, record: ObjectRecord)]) {
        var random = RandomRecords(seed: 31)
        let records = random.records(30_000, entities: 1, plain: 100)
        let fixture = try RunFixture(budget: budget)
        try fixture.write(records)
        return (fixture, records)
    }

    private func scan(_ run: Run) throws {
        for entity in run.entities {
            for block in run.blocks(of: entity) {
                _ = try block.ids()
                for property in run.properties(of: entity) { _ = try block.column(property) }
            }
        }
    }

    @Test("the budget holds, whatever is read")
    func budget() throws {
        let budget = 2 << 20
        let (fixture, records) = try fixture(budget: budget)
        let run = try fixture.open()
        var random = SplitMix64(seed: 1)
        for round in 0..<300 {
            let (id, record) = records[Int(random.next() % UInt64(records.count))]
            #expect(try run.record(id) == record)
            _ = try run.rows(withTerm: RunFixture.terms(id).hashes[0])
            if round % 100 == 50 { try scan(run) }
            #expect(fixture.cache.counts.bytes <= budget)
        }
        #expect(fixture.cache.counts.bytes > budget / 4)
    }

    @Test("a cache without room answers all the same")
    func noRoom() throws {
        let (fixture, records) = try fixture(budget: 0)
        let run = try fixture.open()
        for (id, record) in records.prefix(10) { #expect(try run.record(id) == record) }
        #expect(fixture.cache.counts.bytes == 0 && fixture.cache.counts.hits == 0)
    }

    @Test("scans of more than the budget leave what point reads use")
    func scans() throws {
        let (fixture, records) = try fixture(budget: 8 << 20)
        let run = try fixture.open()
        // One block's worth of point reads.
        let ids = records.prefix(500).map(\.id)
        for id in ids { _ = try run.record(id) }
        for _ in 0..<3 {
            for id in ids { _ = try run.record(id) }
            try scan(run)
        }
        let before = fixture.cache.counts
        for id in ids { _ = try run.record(id) }
        let after = fixture.cache.counts
        #expect(after.misses - before.misses < (after.hits - before.hits) / 20)
    }

    @Test("a scan that fits is read once")
    func warmScan() throws {
        let (fixture, _) = try fixture(budget: 256 << 20)
        let run = try fixture.open()
        try scan(run)
        let misses = fixture.cache.counts.misses
        try scan(run)
        #expect(fixture.cache.counts.misses == misses)
    }

    @Test("threads that read at once all get the same")
    func concurrent() async throws {
        let (fixture, records) = try fixture(budget: 1 << 20)
        let run = try fixture.open()
        let picked = records.enumerated().filter { $0.offset % 200 == 0 }.map(\.element)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in 0..<4 {
                group.addTask {
                    for (id, record) in picked[start...] {
                        let read = try run.record(id)
                        #expect(read == record)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(fixture.cache.counts.bytes <= 1 << 20)
    }
}
