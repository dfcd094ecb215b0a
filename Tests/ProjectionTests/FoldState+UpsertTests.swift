import EventLog
import Projection
import Testing

/// Merge policies.
@Suite struct FoldStateUpsertTests {
    @Test func upsertFollowsItsPolicy() throws {
        let (state, a) = planning { a in
            [SmallModel.insert(a.object(2), "Tag", SmallModel.named("x"), PropertyValue(Property("n", .int), .int(1)))]
        }
        let values = [
            SmallModel.named("x"), PropertyValue(Property("n", .int), .int(2)), PropertyValue(Property("m", .int), .int(3)),
        ]
        let new = Scribe(0xb).object(1)
        let tag = WireName("Tag")
        func names(_ changes: [Change]) -> [String] {
            changes.flatMap { change in
                if case .update(_, _, _, let assignments) = change { assignments.map(\.property.name) } else { ["?"] }
            }
        }
        let kept = try state.planUpsert(tag, values, as: new, policy: .keepStored)
        #expect(kept.object == a.object(2) && names(kept.changes) == ["m"])
        let over = try state.planUpsert(tag, values, as: new, policy: .overwrite)
        #expect(over.object == a.object(2) && names(over.changes) == ["n", "m"])
        #expect(throws: ProjectionError.self) { try state.planUpsert(tag, values, as: new, policy: .fail) }
        let other = try state.planUpsert(tag, [SmallModel.named("y")], as: new, policy: .fail)
        #expect(other.object == new && other.changes == [.insert(object: new, entity: "Tag", values: [SmallModel.named("y")])])
    }
}
