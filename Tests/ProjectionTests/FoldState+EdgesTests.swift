import EventLog
import Projection
import Testing

/// Many-to-many relationships.
@Suite struct FoldStateEdgesTests {
    @Test func edgesAreAddedOnceFromEitherSideAndRemoved() throws {
        let (start, a) = planning { a in
            [SmallModel.insert(a.object(2), "Item"), SmallModel.insert(a.object(2, 1), "Tag", SmallModel.named("x"))]
        }
        var state = start
        let (item, tag) = (a.object(2), a.object(2, 1))
        let add = try state.planAddEdge(tag, Property("items", .edges), item)
        #expect(add == [SmallModel.tag(item, tag)])
        carryOut(add, to: &state)
        #expect(try state.planAddEdge(item, SmallModel.tags, tag) == [])
        let remove = try state.planRemoveEdge(item, SmallModel.tags, tag)
        #expect(remove == [SmallModel.tag(item, tag, length: 2)])
        carryOut(remove, to: &state)
        #expect(try state.planAddEdge(item, SmallModel.tags, tag) == [SmallModel.tag(item, tag, length: 3)])
    }
}
