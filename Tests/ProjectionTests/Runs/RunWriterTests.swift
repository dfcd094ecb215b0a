import EventLog
import Projection
import Simulation
import Storage
import Testing

@Suite("RunWriter")
struct RunWriterTests {
    @Test("when any call fails the writer says so, or the run is whole and durable")
    func failures() throws {
        var random = RandomRecords(seed: 21)
        let records = random.records(300, entities: 2, plain: 70)
        let initial = SimulatedFileSystem()
        try initial.createDirectories("/runs")
        var isFinished = false
        let tried = try forEachFailure(
            from: initial,
            body: { files in
                isFinished = false
                let writer = try RunWriter(fileSystem: files, path: RunFixture.path)
                for (id, record) in records { try writer.append(id, .whole(record), terms: RunFixture.terms(id)) }
                _ = try writer.finish()
                isFinished = true
            },
            verify: { files, fault in
                guard isFinished else { return }
                let crashed = files.crash(keeping: .none)
                let run = try Run(fileSystem: crashed, path: RunFixture.path, cache: BlockCache(budget: 1 << 20))
                var count = 0
                try run.forEachRecord { id, record in
                    #expect(records[count].id == id && records[count].record == record)
                    count += 1
                }
                #expect(count == records.count, "\(fault)")
            })
        #expect(tried > 20)
    }

    @Test("a writer that is dropped leaves no file, and one that begins anew takes the place of a leftover")
    func leftovers() throws {
        var random = RandomRecords(seed: 22)
        let records = random.records(50, entities: 1, plain: 100)
        let fixture = try RunFixture()
        do {
            let writer = try RunWriter(fileSystem: fixture.files, path: RunFixture.path)
            try writer.append(records[0].id, .whole(records[0].record), terms: RunTerms())
            #expect(try fixture.files.attributes(of: RunFixture.path) != nil)
        }
        #expect(try fixture.files.attributes(of: RunFixture.path) == nil)
        try fixture.write(records)
        try fixture.write(Array(records.prefix(3)))
        #expect(try fixture.open().count == 3)
    }

    @Test("an empty run is a run")
    func empty() throws {
        let fixture = try RunFixture()
        #expect(try fixture.write([]).rowCount == 0)
        let run = try fixture.open()
        #expect(run.entities.isEmpty && run.count == 0)
        #expect(try run.rows(withTerm: 5) == [])
        #expect(try run.record(ObjectID(replica: ReplicaID(Digest128(high: 1, low: 1)), sequence: 1, index: 0)) == nil)
    }

    @Test("large values end a block early, so that memory stays bounded")
    func largeValues() throws {
        var state = FoldState()
        let replica = ReplicaID(Digest128(high: 1, low: 2))
        let stamp = Stamp(timestamp: Timestamp(rawValue: 5), replica: replica)
        let large = [UInt8](repeating: 7, count: 1 << 20)
        for index in 0..<20 as Range<UInt32> {
            let id = ObjectID(replica: replica, sequence: 1, index: index)
            let values = [PropertyValue(Property("d", .data), .data(large))]
            state.apply(.insert(object: id, entity: "E", values: values), stamp: stamp)
        }
        let fixture = try RunFixture()
        let records = state.sortedRecords
        #expect(try fixture.write(records).blockCount == 5)
        let run = try fixture.open()
        for (id, record) in records { #expect(try run.record(id) == record) }
        #expect(run.rowLimit > run.count)
    }
}
