import EventLog
import Projection
import Simulation
import Storage
import Testing

@Suite("Run")
struct RunTests {
    @Test("random records come back by id, by row and in order", arguments: 0..<12 as Range<UInt64>)
    func records(seed: UInt64) throws {
        var random = RandomRecords(seed: seed)
        // From a few rows to several blocks of an entity.
        let count = [1, 40, 700, 9000][Int(seed % 4)]
        let records = random.records(count, entities: 1 + Int(seed % 3), plain: [100, 80, 30][Int(seed % 3)])
        let fixture = try RunFixture()
        let summary = try fixture.write(records)
        let run = try fixture.open()
        #expect(summary.rowCount == records.count && run.count == records.count)
        #expect(summary.byteCount == run.byteCount)
        var next = 0
        try run.forEachRecord { id, record in
            #expect(records[next].id == id && records[next].record == record, "seed \(seed), row \(next)")
            next += 1
        }
        #expect(next == records.count)
        for (id, record) in records {
            let row = try #require(try run.position(of: id), "seed \(seed), \(id)")
            #expect(try run.record(at: row) == record, "seed \(seed), \(id)")
            #expect(try run.id(at: row) == id)
            let held = try run.row(at: row)
            #expect(held.id == id && held.created == record.created && held.length == record.length)
            #expect(held.entity == RunSection(of: record).entity)
            let properties = held.entity.map { run.properties(of: $0) } ?? []
            for (number, property) in zip(0..., properties) {
                #expect(held.value(number) == record.own(property), "seed \(seed), \(id), \(property)")
                #expect(held.value(property) == record.own(property), "seed \(seed), \(id), \(property)")
            }
            for property in record.ownProperties {
                #expect(try run.value(at: row, property) == record.own(property), "seed \(seed), \(id), \(property)")
            }
            let other = ObjectID(replica: id.replica, sequence: id.sequence &+ 1_000_000, index: id.index)
            #expect(try run.record(other) == nil)
        }
    }

    @Test("columns say what the records themselves read as, within their bounds", arguments: 0..<12 as Range<UInt64>)
    func columns(seed: UInt64) throws {
        var random = RandomRecords(seed: seed)
        let records = random.records(seed % 3 == 0 ? 6000 : 300, entities: 2, plain: 60)
        let fixture = try RunFixture()
        try fixture.write(records)
        let run = try fixture.open()
        let living = records.filter { $0.record.isAlive && $0.record.entity != nil }
        #expect(run.entities == Set(living.compactMap(\.record.entity)).sorted())
        for entity in run.entities {
            var rest = living.filter { $0.record.entity == entity }[...]
            #expect(run.properties(of: entity) == Set(rest.flatMap(\.record.ownProperties)).sorted())
            for block in run.blocks(of: entity) {
                let rows = Array(rest.prefix(block.count))
                rest = rest.dropFirst(block.count)
                #expect(try block.ids() == rows.map(\.id))
                #expect(block.range == rows[0].id...rows[rows.count - 1].id)
                for property in run.properties(of: entity) + [Property("nowhere", .int)] {
                    let expected = rows.map { $0.record.own(property) }
                    let column = try block.column(property)
                    #expect((0..<block.count).map { column?.value($0) } == expected, "seed \(seed), \(property)")
                    check(block.bounds(property), expected, "seed \(seed), \(property)")
                    if let column { #expect(column.type == property.type && column.count == block.count) }
                }
            }
            #expect(rest.isEmpty)
        }
    }

    private func check(_ bounds: ColumnBounds?, _ values: [Value?], _ what: Comment) {
        guard let bounds else {
            #expect(values.allSatisfy { $0 == nil }, what)
            return
        }
        #expect(bounds.hasNull == values.contains { $0 == nil || $0 == .null }, what)
        for case let value? in values where value != .null {
            if let lowest = bounds.lowest { #expect(ValueOrder.compare(lowest, value).map { $0 <= 0 } == true, what) }
            if let highest = bounds.highest { #expect(ValueOrder.compare(highest, value).map { $0 >= 0 } == true, what) }
        }
    }

    @Test("numbers, dates, bools, UUIDs, references and short texts have bounds that are met")
    func tightBounds() throws {
        var state = FoldState()
        let replica = ReplicaID(Digest128(high: 1, low: 2))
        let stamp = Stamp(timestamp: Timestamp(rawValue: 5), replica: replica)
        let long = String(repeating: "n", count: 200)
        for index in 0..<100 as Range<UInt32> {
            let id = ObjectID(replica: replica, sequence: 1, index: index)
            let values = [
                PropertyValue(Property("bool", .bool), .bool(true)),
                PropertyValue(Property("date", .date), .date(Double(index) + 0.5)),
                PropertyValue(Property("int", .int), .int(Int64(index) - 7)),
                PropertyValue(Property("long", .string), .string(long + "\(index)")),
                PropertyValue(Property("reference", .reference), .reference(id)),
                PropertyValue(Property("text", .string), .string("t\(index)")),
            ]
            state.apply(.insert(object: id, entity: "E", values: values), stamp: stamp)
        }
        let fixture = try RunFixture()
        try fixture.write(state.sortedRecords)
        let block = try #require(try fixture.open().blocks(of: WireName("E")).first)
        let ids = try block.ids()
        let expected: [(Property, Value, Value)] = [
            (Property("bool", .bool), .bool(true), .bool(true)),
            (Property("date", .date), .date(0.5), .date(99.5)),
            (Property("int", .int), .int(-7), .int(92)),
            (
                Property("long", .string), .string(String(repeating: "n", count: 24)),
                .string(String(repeating: "n", count: 23) + "o")
            ),
            (Property("reference", .reference), .reference(ids[0]), .reference(ids[99])),
            (Property("text", .string), .string("t0"), .string("t99")),
        ]
        for (property, lowest, highest) in expected {
            #expect(block.bounds(property) == ColumnBounds(hasNull: false, lowest: lowest, highest: highest), "\(property)")
        }
    }

    @Test("terms find all their rows and no others", arguments: 0..<4 as Range<UInt64>)
    func terms(seed: UInt64) throws {
        var random = RandomRecords(seed: seed)
        let records = random.records(seed == 0 ? 12_000 : 500, entities: 2, plain: 90)
        let fixture = try RunFixture()
        let summary = try fixture.write(records)
        let run = try fixture.open()
        var owners: [UInt64: [ObjectID]] = [:]
        for (id, _) in records {
            for hash in Set(RunFixture.terms(id).hashes) { owners[hash, default: []].append(id) }
        }
        #expect(summary.termCount == records.reduce(0) { $0 + RunFixture.terms($1.id).hashes.count })
        for (hash, ids) in owners { #expect(try run.rows(withTerm: hash) == ids, "seed \(seed), \(hash)") }
        for hash in 100..<1000 as Range<UInt64> where owners[hash] == nil { #expect(try run.rows(withTerm: hash) == []) }
    }

    @Test("a term that is nowhere is refused without reading, but for one in some dozens")
    func filter() throws {
        var random = RandomRecords(seed: 1)
        let fixture = try RunFixture()
        try fixture.write(random.records(6000, entities: 1, plain: 100)) { id, _ in
            RunTerms([id.sequence &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(id.index)])
        }
        let run = try fixture.open()
        let before = fixture.cache.counts
        var words = SplitMix64(seed: 77)
        for _ in 0..<10_000 { #expect(try run.positions(withTerm: words.next()).isEmpty) }
        let after = fixture.cache.counts
        #expect(after.hits + after.misses - before.hits - before.misses < 300)
    }

    @Test("a bulk insert's ids, times and stamps take next to nothing")
    func compactHeads() throws {
        var state = FoldState()
        let replica = ReplicaID(Digest128(high: 1, low: 2))
        for sequence in 1...4 as ClosedRange<UInt64> {
            let stamp = Stamp(timestamp: Timestamp(milliseconds: 1_700_000_000_000 + sequence), replica: replica)
            for index in 0..<1000 as Range<UInt32> {
                let id = ObjectID(replica: replica, sequence: sequence, index: index)
                let values = [PropertyValue(Property("n", .int), .int(5))]
                state.apply(.insert(object: id, entity: "E", values: values), stamp: stamp)
            }
        }
        let fixture = try RunFixture()
        let records = state.sortedRecords
        let summary = try fixture.write(records) { _, _ in RunTerms() }
        #expect(summary.byteCount < 500, "\(summary.byteCount) bytes for 4,000 rows")
        #expect(try fixture.open().record(records[3999].id) == records[3999].record)
    }

    @Test("an obsolete run stays until its last user lets go, then its file goes")
    func obsolete() throws {
        let fixture = try RunFixture()
        var random = RandomRecords(seed: 3)
        let records = random.records(100, entities: 1, plain: 100)
        try fixture.write(records)
        var run: Run? = try fixture.open()
        var block = run?.blocks(of: WireName("Entity0")).first
        run?.setObsolete(true)
        run = nil
        #expect(try block?.ids().count == records.filter { $0.record.isAlive }.count)
        #expect(try fixture.files.attributes(of: RunFixture.path) != nil)
        block = nil
        #expect(try fixture.files.attributes(of: RunFixture.path) == nil)
        #expect(fixture.cache.counts.chunks == 0)
    }

    @Test("marks of rows reach the blocks as bits")
    func marks() throws {
        var random = RandomRecords(seed: 4)
        let records = random.records(9000, entities: 2, plain: 100)
        let fixture = try RunFixture()
        try fixture.write(records)
        let run = try fixture.open()
        var marks = RowMarks()
        for (id, _) in records where id.sequence.isMultiple(of: 5) {
            #expect(marks.insert(try #require(try run.position(of: id))))
        }
        #expect(marks.count == records.count { $0.id.sequence.isMultiple(of: 5) })
        var left: [ObjectID] = []
        for entity in run.entities {
            for block in run.blocks(of: entity) {
                let held = block.excluding(marks)
                for (row, id) in try held.ids().enumerated() {
                    let isMarked = (held.excluded?[row >> 6] ?? 0) >> UInt64(row & 63) & 1 != 0
                    #expect(isMarked == marks.contains(block.firstRow + row))
                    if !isMarked { left.append(id) }
                }
            }
        }
        #expect(left == records.map(\.id).filter { !$0.sequence.isMultiple(of: 5) })
    }
}
