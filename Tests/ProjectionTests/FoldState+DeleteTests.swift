import EventLog
import Projection
import Testing

/// The delete rules at the write.
@Suite struct FoldStateDeleteTests {
    @Test func cascadeTakesAlongAndCyclesEnd() throws {
        let (start, a) = planning { a in
            [
                SmallModel.insert(a.object(2), "Box", SmallModel.inside(a.object(2, 1))),
                SmallModel.insert(a.object(2, 1), "Box", SmallModel.inside(a.object(2))),
                SmallModel.insert(a.object(2, 2), "Item", SmallModel.inside(a.object(2, 1))),
            ]
        }
        var state = start
        let changes = try state.planDelete([a.object(2)])
        #expect(changes.compactMap(\.object) == [a.object(2), a.object(2, 1), a.object(2, 2)])
        carryOut(changes, to: &state)
        #expect(state.description == "")
    }

    @Test func nullifyEmptiesAndNoActionLeavesDangling() throws {
        for (rule, reads) in [
            (Relationship.DeleteRule.nullify, ResolvedReference.null), (.noAction, .dangling(Scribe(0xa).object(2))),
        ] {
            let (start, a) = planning(rule) { a in
                [
                    SmallModel.insert(a.object(2), "Box"),
                    SmallModel.insert(a.object(2, 1), "Item", SmallModel.inside(a.object(2))),
                ]
            }
            var state = start
            let changes = try state.planDelete([a.object(2)])
            #expect(changes.count == (rule == .nullify ? 2 : 1))
            carryOut(changes, to: &state)
            #expect(state.row(a.object(2, 1))?[SmallModel.box] == .reference(reads))
        }
    }

    @Test func denyRefusesAndNamesWhoRefersUnlessTheyGoToo() throws {
        let (state, a) = planning(.deny) { a in
            [SmallModel.insert(a.object(2), "Box"), SmallModel.insert(a.object(2, 1), "Item", SmallModel.inside(a.object(2)))]
        }
        let error = #expect(throws: ProjectionError.self) { try state.planDelete([a.object(2)]) }
        #expect(error?.code == .deniedByReferrers)
        #expect(error?.objects == [a.object(2), a.object(2, 1)])
        #expect(try state.planDelete([a.object(2), a.object(2, 1)]).count == 2)
    }
}
