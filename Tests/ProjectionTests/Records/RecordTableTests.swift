import EventLog
import Projection
import Simulation
import Testing

@Suite struct RecordTableTests {
    /// A table and what it should hold.
    private struct Pair {
        var table: RecordTable
        var expected: [ObjectID: Int64] = [:]
        var terms: [UInt64: Set<ObjectID>] = [:]
    }

    /// Copies that go their own ways, transactions that are taken back, levels that are frozen: each table keeps what is its own.
    @Test(arguments: 0..<40) func everyCopyKeepsItsOwn(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let ids = (1...12).map { Scribe(1).object($0) }
        var pairs = [Pair(table: RecordTable())]
        for step in 0..<400 {
            let place = Int.random(in: pairs.indices, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where pairs.count < 6: pairs.append(pairs[place])
            case 1 where pairs.count > 1: pairs.remove(at: place)
            case 2: pairs[place].table.freeze()
            case 3:
                let before = pairs[place]
                let savepoint = pairs[place].table.savepoint
                for number in 0..<Int.random(in: 0..<5, using: &random) {
                    write(&pairs[place], ids, Int64(step * 10 + number), since: savepoint, &random)
                }
                if Bool.random(using: &random) {
                    pairs[place].table.rollback(to: savepoint)
                    pairs[place].expected = before.expected
                    pairs[place].terms = before.terms
                }
            default: write(&pairs[place], ids, Int64(step), since: nil, &random)
            }
        }
        for pair in pairs { check(pair, ids) }
    }

    private func write(
        _ pair: inout Pair, _ ids: [ObjectID], _ value: Int64, since savepoint: RecordTable.Savepoint?,
        _ random: inout SplitMix64
    ) {
        guard let id = ids.randomElement(using: &random) else { return }
        let insertion = insertion(value)
        pair.table.set(
            id, Bool.random(using: &random) ? .inserted(insertion) : .whole(insertion.record), since: savepoint)
        pair.expected[id] = value
        let term = UInt64.random(in: 0..<8, using: &random)
        pair.table.add(term, id)
        pair.terms[term, default: []].insert(id)
    }

    private func check(_ pair: Pair, _ ids: [ObjectID]) {
        for id in ids { #expect(pair.table[id].map(value) == pair.expected[id]) }
        var all: [ObjectID: Int64] = [:]
        pair.table.visit { id, record in
            #expect(all.updateValue(value(record), forKey: id) == nil, "each object once")
        }
        #expect(all == pair.expected)
        for term in 0..<8 as Range<UInt64> { #expect(Set(pair.table.candidates(term)) == pair.terms[term] ?? []) }
    }

    private func insertion(_ value: Int64) -> Insertion {
        Insertion(
            entity: "Box", stamp: Stamp(timestamp: Timestamp(milliseconds: 1), replica: Scribe(2).id),
            values: [PropertyValue(Property("n", .int), .int(value))])
    }

    private func value(_ record: ObjectRecord) -> Int64 {
        guard case .int(let value)? = record.current.registers[Property("n", .int)]?.value else { return -1 }
        return value
    }
}
