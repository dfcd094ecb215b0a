import EventLog
import Projection
import Simulation
import Storage
import Testing

@Suite("RunMerge")
struct RunMergeTests {
    @Test("runs of random versions merge to the newest of each object", arguments: 0..<6 as Range<UInt64>)
    func merges(seed: UInt64) throws {
        var random = RandomRecords(seed: seed)
        let pool = random.records(seed == 0 ? 9000 : 400, entities: 3, plain: 50)
        let other = random.records(pool.count, entities: 3, plain: 20)
        let fixture = try RunFixture()
        // The oldest run has all, later ones other records under some of the ids; each marks what it supersedes.
        var newest: [ObjectID: ObjectRecord] = [:]
        var sources: [RunMerge.Source] = []
        var runs: [(run: Run, marks: RowMarks)] = []
        for number in 0..<3 {
            var version: [ObjectID: ObjectRecord] = [:]
            for (index, (id, record)) in pool.enumerated() where number == 0 || random.chance(30) {
                version[id] = number == 0 ? record : other[(index + number) % other.count].record
            }
            for id in version.keys {
                for older in runs.indices {
                    if let row = try runs[older].run.position(of: id) { runs[older].marks.insert(row) }
                }
            }
            newest.merge(version) { $1 }
            let path = "/runs/source\(number)"
            try fixture.write(sorted(version), to: path)
            runs.append((try fixture.open(path), RowMarks()))
        }
        sources = runs.reversed().map { RunMerge.Source($0.run, excluded: $0.marks) }
        let writer = try RunWriter(fileSystem: fixture.files, path: RunFixture.path)
        let dropped = try #require(newest.keys.min())
        try RunMerge(sources).write(to: writer) { id, _ in id == dropped ? nil : RunFixture.terms(id) }
        newest[dropped] = nil
        #expect(try writer.finish().rowCount == newest.count)
        let merged = try fixture.open()
        let expected = sorted(newest)
        var next = 0
        try merged.forEachRecord { id, record in
            #expect(expected[next].id == id && expected[next].record == record, "seed \(seed), row \(next)")
            next += 1
        }
        for (id, record) in expected.prefix(200) {
            #expect(try merged.record(id) == record)
            #expect(try merged.rows(withTerm: RunFixture.terms(id).hashes[0]).contains(id))
        }
    }

    private func sorted(_ records: [ObjectID: ObjectRecord]) -> [(id: ObjectID, record: ObjectRecord)] {
        records.map { (id: $0.key, record: $0.value) }.sorted {
            (RunSection(of: $0.record), $0.id) < (RunSection(of: $1.record), $1.id)
        }
    }
}
