import EventLog
import Projection
import Simulation
import Storage
import Testing

/// An insert that is kept as such is the same as the record that it makes, whatever is asked of it.
@Suite("Insertion")
struct InsertionTests {
    private static let types: [ValueType] = [.bool, .int, .double, .string, .date, .uuid, .data, .reference, .counter]

    @Test("it is found by what its record is found by", arguments: 0..<200 as Range<UInt64>)
    func terms(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (_, insertion, schema) = Self.make(&random)
        let (short, whole) = (HeldRecord.inserted(insertion), HeldRecord.whole(insertion.record))
        #expect(short.uniqueKey(by: schema) == whole.uniqueKey(by: schema))
        #expect(short.terms(schema).hashes == whole.terms(schema).hashes)
        #expect(short.isAlive == whole.isAlive && short.entity == whole.entity)
        #expect(RunSection(of: short) == RunSection(of: whole))
    }

    @Test("a run of inserts is a run of their records, byte by byte", arguments: 0..<20 as Range<UInt64>)
    func runs(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var all = (0..<60).map { _ in Self.make(&random) }
        all.sort { $0.id < $1.id }
        let fixture = try RunFixture()
        for (path, isShort) in [("/runs/a.run", true), ("/runs/b.run", false)] {
            let writer = try RunWriter(fileSystem: fixture.files, path: path)
            for (id, insertion, schema) in all {
                let held = isShort ? HeldRecord.inserted(insertion) : .whole(insertion.record)
                try writer.append(id, held, terms: RunTerms(held.terms(schema).hashes))
            }
            _ = try writer.finish()
        }
        let run = try fixture.open("/runs/a.run")
        for (id, insertion, _) in all { #expect(try run.record(id) == insertion.record) }
        let (short, whole) = (try fixture.bytes("/runs/a.run"), try fixture.bytes("/runs/b.run"))
        let difference = zip(short, whole).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(difference == nil)
        #expect(short.count == whole.count)
    }

    @Test("what is inserted as unrivalled takes nothing from anybody, and is what its change makes")
    func unrivalled() throws {
        var short = 0
        var other = 0
        for seed in 1...60 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let history = try RandomHistory(seed: seed)
            let state = ReferenceFold.fold(ResolvedHistory(history.transactions), into: .tracking)
            let stamp = Stamp(timestamp: Timestamp(milliseconds: 1 << 40), replica: Scribe(7).id)
            let targets = history.transactions.flatMap { $0.changes.compactMap(\.object) }
            let written = history.transactions.flatMap(\.changes).flatMap { change -> [PropertyValue] in
                if case .insert(_, _, let values) = change { values } else { [] }
            }
            for entity in HistoryModel.entities + HistoryModel.entities {
                // Values that others have, so that keys meet.
                let taken = [HistoryModel.name, HistoryModel.kind, HistoryModel.handle, HistoryModel.realm].map { property in
                    written.filter { $0.property == property }.randomElement(using: &random) ?? PropertyValue(property, .null)
                }
                let values =
                    taken + [
                        PropertyValue(
                            HistoryModel.parent, targets.randomElement(using: &random).map { .reference($0) } ?? .null),
                        PropertyValue(
                            HistoryModel.owner, targets.randomElement(using: &random).map { .reference($0) } ?? .null),
                    ]
                let insertion = Insertion(entity: WireName(entity), stamp: stamp, values: values)
                guard let terms = state.termsOfUnrivalled(insertion) else {
                    other += 1
                    continue
                }
                short += 1
                let id = Scribe(7).object(1)
                let change = Change.insert(object: id, entity: entity, values: values)
                #expect(state.displaced(by: [change]).isEmpty)
                if !state.schema.key(of: WireName(entity)).isEmpty, insertion.uniqueKey(by: state.schema) != nil {
                    let planned = try state.planUpsert(WireName(entity), values, as: id, policy: .fail)
                    #expect(planned.changes == [change])
                }
                var quick = state
                var slow = state
                quick.insertUnrivalled(id, insertion, terms)
                slow.apply(change, stamp: stamp)
                #expect(quick.objects[id] == slow.objects[id] && quick.irregular == slow.irregular, "seed \(seed)")
                for hash in terms.hashes { #expect(quick.objects.candidates(hash).contains(id)) }
            }
        }
        #expect(short > 100 && other > 100, "\(short) and \(other)")
    }

    /// Some values, in any order of properties: one name may have several types, and a value may be none of its property's.
    private static func make(
        _ random: inout SplitMix64
    ) -> (id: ObjectID, insertion: Insertion, schema: SchemaState) {
        let origin = Scribe(random.next() % 3 + 1)
        var properties: [Property] = []
        for _ in 0..<Int(random.next() % 7) {
            let property = Property("p\(random.next() % 5)", types[Int(random.next() % UInt64(types.count))])
            if !properties.contains(property) { properties.append(property) }
        }
        let values = properties.map { property in
            let isOdd = random.next() % 20 == 0
            let type = isOdd ? types[Int(random.next() % UInt64(types.count))] : property.type
            return PropertyValue(property, value(type, &random))
        }
        let sequence = random.next()
        let timestamp = Timestamp(milliseconds: random.next() % 1000 + 1)
        let stamp = Stamp(timestamp: timestamp, replica: random.next() % 5 == 0 ? Scribe(9).id : origin.id)
        var state = FoldState()
        let key = (0..<random.next() % 3).map { "p\($0)" }
        let declaration = EntityDeclaration(
            name: "Box", version: 1, fields: properties.map { FieldDeclaration($0) }, uniqueKey: key)
        state.apply(.schema(declaration), stamp: stamp)
        return (origin.object(sequence), Insertion(entity: "Box", stamp: stamp, values: values), state.schema)
    }

    private static func value(_ type: ValueType, _ random: inout SplitMix64) -> Value {
        let number = random.next() % 8
        if number == 0 { return .null }
        return switch type {
        case .bool: .bool(number > 4)
        case .int: .int(Int64(number))
        case .double: .double(Double(number) / 3)
        case .string: .string(String(repeating: "ä", count: Int(number) * 3))
        case .date: .date(Double(number))
        case .uuid: .uuid(Digest128(high: number, low: 1))
        case .data: .data([UInt8(number)])
        case .reference: .reference(Scribe(4).object(number))
        case .counter, .blob, .edges: .counter(Int64(number))
        }
    }
}
