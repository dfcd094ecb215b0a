import EventLog
import Projection
import Testing

/// What counts as a conflict: writes that did not know each other.
///
/// That the answer is the same in every order is part of `everyOrder`.
@Suite struct ConflictFinderTests {
    private func conflicts(_ scribes: Scribe..., since vector: [ReplicaID: UInt64] = [:]) -> [String] {
        let all = scribes.flatMap(\.written)
        _ = everyOrder(all)
        return ResolvedHistory(all).conflicts(since: vector).map { conflict in
            "\(conflict.kind) \(conflict.property.name): \(text(conflict.winner)) over \(conflict.losers.map(text))"
        }
    }

    private func text(_ contender: Conflict.Contender) -> String {
        switch contender.value {
        case .string(let text): text
        case .counter(let sum): "\(sum)"
        default: "delete"
        }
    }

    @Test func writesThatKnowEachOtherAreNone() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.write(at: 1, SmallModel.insert(a.object(1), "Box", SmallModel.named("one")))
        b.write(at: 5, knowing: [a], SmallModel.rename(a.object(1), "Box", "two"))
        a.write(at: 6, knowing: [b], SmallModel.rename(a.object(1), "Box", "three"))
        #expect(conflicts(a, b) == [])
    }

    @Test func aDeleteThatKnewTheWriteLosesNothing() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, SmallModel.insert(a.object(1), "Item", SmallModel.named("one")))
        b.write(at: 5, knowing: [a], SmallModel.rename(a.object(1), "Item", "two"), SmallModel.add(1, to: a.object(1)))
        c.write(at: 6, knowing: [a, b], SmallModel.delete(a.object(1), "Item"))
        #expect(conflicts(a, b, c) == [])
    }

    @Test func contextsAddUpOverTransactions() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.write(at: 1, SmallModel.insert(a.object(1), "Box", SmallModel.named("one")))
        b.write(at: 5, knowing: [a])
        b.write(at: 6, SmallModel.rename(a.object(1), "Box", "two"))
        #expect(conflicts(a, b) == [])
    }

    @Test func theLosersAreThoseThatNobodyOverwroteKnowingly() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, SmallModel.insert(a.object(1), "Box", SmallModel.named("one")))
        b.write(at: 5, knowing: [a], SmallModel.rename(a.object(1), "Box", "b1"))
        b.write(at: 6, SmallModel.rename(a.object(1), "Box", "b2"))
        c.write(at: 9, knowing: [a], SmallModel.rename(a.object(1), "Box", "c1"))
        #expect(conflicts(a, b, c) == ["values name: c1 over [\"b2\"]"])
        #expect(conflicts(a, b, c, since: [a.id: 1, b.id: 1, c.id: 1]) == ["values name: c1 over [\"b2\"]"])
        #expect(conflicts(a, b, c, since: [a.id: 1, b.id: 2, c.id: 1]) == [])
    }

    @Test func membersOfOneKeyLoseValues() {
        let mark = Property("mark", .int)
        func tag(_ scribe: Scribe, _ value: Int64) -> Change {
            SmallModel.insert(scribe.object(2), "Tag", SmallModel.named("t"), PropertyValue(mark, .int(value)))
        }
        func number(_ contender: Conflict.Contender) -> Int64 {
            if case .int(let number) = contender.value { number } else { -1 }
        }
        func losers(_ scribes: Scribe..., since vector: [ReplicaID: UInt64] = [:]) -> [String] {
            let all = scribes.flatMap(\.written)
            _ = everyOrder(all)
            return ResolvedHistory(all).conflicts(since: vector).map { conflict in
                "\(conflict.kind) \(conflict.object.replica == scribes[0].id) \(conflict.property.name): "
                    + "\(number(conflict.winner)) over \(conflict.losers.map(number))"
            }
        }
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.declare()
        b.declare()
        c.declare()
        a.write(at: 4, tag(a, 1))
        b.write(at: 5, tag(b, 2))
        c.write(at: 6, tag(c, 2))
        #expect(losers(a, b, c) == ["uniqueKey true mark: 2 over [1]"])
        #expect(losers(a, b, c, since: [a.id: 2, b.id: 2, c.id: 2]) == [])
        // An update holds before inserts, however late; whoever writes it knowing the others loses none of them.
        b.write(
            at: 7,
            .update(
                object: b.object(2), entity: "Tag", length: 1,
                assignments: [Assignment(mark, new: .int(3), old: .int(2), overwrote: nil)]))
        #expect(losers(a, b, c) == ["uniqueKey true mark: 3 over [1, 2]"])
        a.write(
            at: 8, knowing: [b, c],
            .update(
                object: a.object(2), entity: "Tag", length: 1,
                assignments: [Assignment(mark, new: .int(4), old: .int(3), overwrote: nil)]))
        #expect(losers(a, b, c) == [])
    }

    @Test func equalValuesDoNotConflict() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, SmallModel.insert(a.object(1), "Box"))
        b.write(at: 5, knowing: [a], SmallModel.rename(a.object(1), "Box", "same"))
        c.write(at: 9, knowing: [a], SmallModel.rename(a.object(1), "Box", "same"))
        #expect(conflicts(a, b, c) == [])
    }

    @Test func aWriteAndAnIncrementAgainstADelete() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, SmallModel.insert(a.object(1), "Item", SmallModel.named("one")))
        b.write(at: 5, knowing: [a], SmallModel.delete(a.object(1), "Item"))
        c.write(at: 4, knowing: [a], SmallModel.rename(a.object(1), "Item", "lost"), SmallModel.add(7, to: a.object(1)))
        #expect(
            conflicts(a, b, c) == [
                "writeAgainstDelete count: delete over [\"7\"]", "writeAgainstDelete name: delete over [\"lost\"]",
            ])
        b.write(at: 9, knowing: [c], SmallModel.restore(a.object(1), "Item", SmallModel.named("back")))
        #expect(conflicts(a, b, c).count == 2, "a restore does not bring back what was lost")
    }

    @Test func twoBranchesOfAForkDoNotKnowEachOther() {
        var a = Scribe(0xa)
        a.write(at: 1, SmallModel.insert(a.object(1), "Box"))
        var copy = a
        a.write(at: 2, nonce: 1, SmallModel.rename(a.object(1), "Box", "left"))
        copy.write(at: 3, nonce: 2, SmallModel.rename(a.object(1), "Box", "right"))
        #expect(conflicts(a, copy) == ["values name: right over [\"left\"]"])
        var third = Scribe(0xc)
        third.write(at: 9, knowing: [copy], SmallModel.rename(a.object(1), "Box", "third"))
        #expect(conflicts(a, copy, third) == ["values name: third over [\"left\"]"])
    }
}
