import EventLog
import Projection
import Simulation
import Testing

/// What an update records.
@Suite struct FoldStateUpdateTests {
    @Test func anUpdateRecordsWhatChangedWithWhatWasSeen() throws {
        let (state, a) = planning {
            [SmallModel.insert($0.object(2), "Item", SmallModel.named("x"), PropertyValue(SmallModel.box, .null))]
        }
        let seen = Stamp(timestamp: Timestamp(milliseconds: 2), replica: a.id)
        let values = [SmallModel.named("y"), PropertyValue(SmallModel.box, .null), PropertyValue(Property("new", .int), .null)]
        #expect(
            try state.planUpdate(a.object(2), values) == [
                .update(
                    object: a.object(2), entity: "Item", length: 1,
                    assignments: [
                        Assignment(SmallModel.name, new: .string("y"), old: .string("x"), overwrote: seen),
                        Assignment(Property("new", .int), new: .null, old: nil, overwrote: nil),
                    ])
            ])
        #expect(try state.planUpdate(a.object(2), [SmallModel.named("x")]) == [])
    }

    /// In states of every kind: where the short way is taken, it plans what the long one plans, and makes of it what a change does.
    @Test func aPlainUpdateIsTheUpdate() throws {
        var plain = 0
        var other = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let history = try RandomHistory(seed: seed)
            let state = ReferenceFold.fold(ResolvedHistory(history.transactions), into: .tracking)
            let stamp = Stamp(timestamp: Timestamp(milliseconds: 1 << 40), replica: Scribe(7).id)
            for id in Set(history.transactions.flatMap { $0.changes.compactMap(\.object) }) {
                let values = Self.values(&random)
                guard let plan = state.planPlainUpdate(id, values, stamp: stamp) else {
                    other += 1
                    continue
                }
                plain += 1
                let changes = try state.planUpdate(id, values)
                let update = Change.update(
                    object: id, entity: plan.entity.text, length: plan.length, assignments: plan.assignments)
                #expect(changes == (plan.assignments.isEmpty ? [] : [update]), "seed \(seed), \(id)")
                var short = state
                var long = state
                if !plan.assignments.isEmpty { short.update(id, by: plan) }
                for change in changes { long.apply(change, stamp: stamp) }
                #expect(short.objects[id] == long.objects[id] && short.irregular == long.irregular, "seed \(seed), \(id)")
                let terms = long.objects[id].map { HeldRecord.whole($0).terms(long.schema).hashes } ?? []
                #expect(terms.allSatisfy { short.objects.candidates($0).contains(id) }, "seed \(seed), \(id)")
            }
        }
        #expect(plain > 100 && other > 100, "\(plain) and \(other)")
    }

    private static func values(_ random: inout SplitMix64) -> [PropertyValue] {
        let some: [PropertyValue] = [
            PropertyValue(HistoryModel.title, .string("t\(random.next() % 3)")),
            PropertyValue(HistoryModel.numericTitle, .int(Int64(random.next() % 3))),
            PropertyValue(HistoryModel.body, .data([UInt8(random.next() % 3)])), PropertyValue(HistoryModel.body, .null),
            PropertyValue(HistoryModel.name, .string("n")), PropertyValue(HistoryModel.score, .counter(3)),
            PropertyValue(HistoryModel.author, .null),
        ]
        var values: [PropertyValue] = []
        // Of the harmless ones more than of the others.
        for _ in 0...random.next() % 2 {
            let value = some[Int(random.next() % (random.next() % 2 == 0 ? 4 : 7))]
            if !values.contains(where: { $0.property == value.property }) { values.append(value) }
        }
        return values
    }

    @Test func aCounterIsBroughtToItsValueByAnIncrement() throws {
        let (start, a) = planning { [SmallModel.insert($0.object(2), "Item", PropertyValue(SmallModel.count, .counter(4)))] }
        var state = start
        let changes = try state.planUpdate(a.object(2), [PropertyValue(SmallModel.count, .counter(10))])
        #expect(
            changes == [.increment(object: a.object(2), entity: "Item", length: 1, property: SmallModel.count, by: 6, seen: 4)])
        carryOut(changes, to: &state)
        #expect(state.row(a.object(2))?[SmallModel.count] == .value(.counter(10)))
        #expect(throws: ProjectionError.self) { try state.planUpdate(a.object(2), [PropertyValue(SmallModel.count, .null)]) }
    }

    @Test func refusalsSayWhy() throws {
        let (state, a) = planning {
            [
                SmallModel.insert($0.object(2), "Item"), SmallModel.insert($0.object(2, 1), "Item"),
                SmallModel.delete($0.object(2, 1), "Item"),
            ]
        }
        let stranger = Scribe(0xf).object(1)
        let attempts: [(ProjectionError.Code, () throws -> Void)] = [
            (.deleted, { _ = try state.planUpdate(a.object(2, 1), [SmallModel.named("x")]) }),
            (.notHereYet, { _ = try state.planDelete([stranger]) }),
            (.typeMismatch, { _ = try state.planUpdate(a.object(2), [PropertyValue(SmallModel.name, .int(1))]) }),
            (.typeMismatch, { _ = try state.planIncrement(a.object(2), SmallModel.name, by: 1) }),
            (.notDeleted, { _ = try state.planRestore(a.object(2), entity: WireName("Item"), []) }),
            (.notHereYet, { _ = try state.planRestore(stranger, entity: WireName("Item"), []) }),
            (.unknownRelationship, { _ = try state.planAddEdge(a.object(2), SmallModel.name, a.object(2)) }),
            (.incompleteKey, { _ = try state.planUpsert(WireName("Tag"), [], as: stranger, policy: .fail) }),
        ]
        for (code, attempt) in attempts {
            do {
                try attempt()
                Issue.record("not refused: \(code)")
            } catch let error as ProjectionError {
                #expect(error.code == code)
                #expect(!error.description.isEmpty)
            }
        }
    }
}
