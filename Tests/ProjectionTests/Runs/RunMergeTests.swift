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
            try fixture.write(Self.sorted(version), to: path)
            runs.append((try fixture.open(path), RowMarks()))
        }
        sources = runs.reversed().map { RunMerge.Source($0.run, excluded: $0.marks) }
        let writer = try RunWriter(fileSystem: fixture.files, path: RunFixture.path)
        let dropped = try #require(newest.keys.min())
        try RunMerge(sources).write(to: writer) { id, _ in id == dropped ? nil : RunFixture.terms(id) }
        newest[dropped] = nil
        #expect(try writer.finish().rowCount == newest.count)
        let merged = try fixture.open()
        let expected = Self.sorted(newest)
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

    /// Runs of neighbouring ids, as inserts leave them, and one of later changes: most blocks can be copied, some cannot.
    private struct Neighbours {
        let fixture: RunFixture
        var sources: [RunMerge.Source] = []
        var newest: [ObjectID: ObjectRecord] = [:]

        init(seed: UInt64) throws {
            var random = RandomRecords(seed: seed)
            fixture = try RunFixture()
            let pool = random.records(24_000, entities: 2, plain: 60)
            let other = random.records(2_000, entities: 2, plain: 0)
            let ids = pool.map(\.id).sorted()
            let borders = [ids[ids.count / 3], ids[ids.count / 2]]
            let records = Dictionary(uniqueKeysWithValues: pool.map { ($0.id, $0.record) })
            newest = records
            var parts: [[ObjectID: ObjectRecord]] = [[:], [:], [:], [:]]
            for (id, record) in records { parts[borders.count { $0 <= id }][id] = record }
            // Changes of objects that are close to each other, so that they mark a part of the blocks only.
            let start = Int(seed) * 1_000 % (ids.count - 3_000)
            for (id, change) in zip(ids[start..<start + 3_000].filter { _ in random.chance(20) }, other) {
                parts[3][id] = change.record
                newest[id] = change.record
            }
            var runs: [(run: Run, marks: RowMarks)] = []
            for (number, part) in parts.enumerated() {
                if number == 3 {
                    for id in part.keys {
                        for older in runs.indices {
                            if let row = try runs[older].run.position(of: id) { runs[older].marks.insert(row) }
                        }
                    }
                }
                try fixture.write(RunMergeTests.sorted(part), to: "/runs/source\(number)")
                runs.append((try fixture.open("/runs/source\(number)"), RowMarks()))
            }
            sources = runs.reversed().map { RunMerge.Source($0.run, excluded: $0.marks) }
        }
    }

    @Test("blocks that are copied as they lie say what they said", arguments: 0..<8 as Range<UInt64>)
    func copies(seed: UInt64) throws {
        let neighbours = try Neighbours(seed: seed)
        let writer = try RunWriter(fileSystem: neighbours.fixture.files, path: RunFixture.path)
        let summary = try RunMerge(neighbours.sources).write(to: writer)
        let merged = try neighbours.fixture.open()
        let expected = Self.sorted(neighbours.newest)
        #expect(summary.rowCount == expected.count && merged.count == expected.count)
        var next = 0
        try merged.forEachRecord { id, record in
            #expect(expected[next].id == id && expected[next].record == record, "seed \(seed), row \(next)")
            next += 1
        }
        #expect(next == expected.count)
        // By terms: those of one object, and those that a tenth of all have.
        var terms: [UInt64: Set<ObjectID>] = [:]
        for (id, _) in expected { for hash in RunFixture.terms(id).hashes { terms[hash, default: []].insert(id) } }
        #expect(summary.termCount == expected.reduce(0) { $0 + RunFixture.terms($1.id).hashes.count })
        for (hash, ids) in terms.sorted(by: { $0.key < $1.key }).prefix(1_500) {
            let found = try merged.rows(withTerm: hash)
            #expect(Set(found) == ids)
        }
        // Rows of one term ascend.
        let positions = try merged.positions(withTerm: 3)
        #expect(positions == positions.sorted() && positions.count == terms[3]?.count)
        for entity in merged.entities {
            for block in merged.blocks(of: entity) {
                let ids = try block.ids()
                for property in merged.properties(of: entity) {
                    let column = try block.column(property)
                    for row in stride(from: 0, to: ids.count, by: 37) {
                        let value = column?.value(row)
                        #expect(value ?? .null == neighbours.newest[ids[row]]?.own(property) ?? .null)
                    }
                }
            }
        }
    }

    @Test("damage is not copied")
    func damage() throws {
        let neighbours = try Neighbours(seed: 3)
        let source = neighbours.sources[1].run
        let bytes = try neighbours.fixture.bytes(source.path)
        var refused = 0
        for place in stride(from: 40, to: bytes.count - 4_000, by: bytes.count / 40) {
            var damaged = bytes
            damaged[place] ^= 4
            try neighbours.fixture.overwrite(source.path, with: damaged)
            let writer = try RunWriter(fileSystem: neighbours.fixture.files, path: RunFixture.path)
            let error = #expect(throws: StorageError.self) { try RunMerge(neighbours.sources).write(to: writer) }
            #expect(error?.code == .malformed && error?.path == source.path, "\(String(describing: error))")
            refused += 1
        }
        #expect(refused > 20)
    }

    private static func sorted(_ records: [ObjectID: ObjectRecord]) -> [(id: ObjectID, record: ObjectRecord)] {
        records.map { (id: $0.key, record: $0.value) }.sorted {
            (RunSection(of: $0.record), $0.id) < (RunSection(of: $1.record), $1.id)
        }
    }
}
