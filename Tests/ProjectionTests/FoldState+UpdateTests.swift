import EventLog
import Projection
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
