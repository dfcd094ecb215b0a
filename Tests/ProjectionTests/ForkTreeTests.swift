import EventLog
import Projection
import Storage
import Testing

/// Forks: who keeps the name, what the others are called, and whom a reference means.
@Suite struct ForkTreeTests {
    /// A scribe that wrote one box, and copies of it that each wrote another, ascending by the chain of that second one.
    private func forked(_ ways: Int) -> (trunk: Scribe, branches: [Scribe]) {
        var trunk = Scribe(0xa)
        trunk.write(at: 1, SmallModel.insert(trunk.object(1), "Box", SmallModel.named("common")))
        let branches = (0..<ways).map { nonce in
            var branch = trunk
            branch.write(
                at: 2, nonce: UInt64(nonce + 1), SmallModel.insert(branch.object(2), "Box", SmallModel.named("\(nonce)")))
            return branch
        }
        return (trunk, branches.sorted { $0.chain < $1.chain })
    }

    private func name(_ branch: Scribe, leaving parent: ReplicaID) -> ReplicaID {
        ForkName.derive(from: parent, sequence: branch.sequence, chain: branch.chain)
    }

    @Test func theLowestChainKeepsTheNameAndNothingIsLost() {
        let (trunk, branches) = forked(3)
        let all = branches.flatMap(\.written)
        let state = everyOrder(all)
        let second = name(branches[1], leaving: trunk.id)
        let third = name(branches[2], leaving: trunk.id)
        #expect(state.vector == [trunk.id: 2, second: 2, third: 2])
        let ids = [
            trunk.object(1), trunk.object(2), ObjectID(replica: second, sequence: 2, index: 0),
            ObjectID(replica: third, sequence: 2, index: 0),
        ]
        #expect(state.objects(of: WireName("Box")) == ids.sorted())
        #expect(state.origins[third]?.branch == BranchRoot(origin: trunk.id, firstSequence: 2, chain: branches[2].chain))
    }

    @Test func aForkInsideABranchIsNamedAfterIt() {
        let (trunk, start) = forked(2)
        var branches = start
        let outer = name(branches[1], leaving: trunk.id)
        var inner = [branches[1], branches[1]]
        for nonce in inner.indices {
            inner[nonce].write(at: 3, nonce: UInt64(nonce + 5), SmallModel.insert(trunk.object(3), "Box"))
        }
        inner.sort { $0.chain < $1.chain }
        let expected = name(inner[1], leaving: outer)
        let state = everyOrder(branches[0].written + inner[0].written + inner[1].written)
        #expect(state.vector == [trunk.id: 2, outer: 3, expected: 3])
        branches[0].write(at: 4, SmallModel.rename(trunk.object(1), "Box", "again"))
        let later = ReferenceFold.fold(branches[0].written + inner[0].written + inner[1].written)
        #expect(later.vector == [trunk.id: 3, outer: 3, expected: 3])
    }

    @Test func aForkAtTheStartHasNoCommonPart() {
        var scribes = [Scribe(0xa), Scribe(0xa)]
        for nonce in scribes.indices {
            scribes[nonce].write(at: 1, nonce: UInt64(nonce + 1), SmallModel.insert(scribes[nonce].object(1), "Box"))
        }
        scribes.sort { $0.chain < $1.chain }
        let state = everyOrder(scribes[0].written + scribes[1].written)
        #expect(state.vector == [scribes[0].id: 1, name(scribes[1], leaving: scribes[0].id): 1])
        #expect(state.objects(of: WireName("Box")).count == 2)
    }

    @Test func ownReferencesStayInTheirBranchAndOnTheCommonPart() {
        let (trunk, start) = forked(2)
        var branches = start
        for index in branches.indices {
            branches[index].write(
                at: 3, SmallModel.rename(trunk.object(1), "Box", "common \(index)"),
                SmallModel.rename(trunk.object(2), "Box", "own \(index)"))
        }
        let second = name(forked(2).branches[1], leaving: trunk.id)
        let state = everyOrder(branches[0].written + branches[1].written)
        #expect(text(state, trunk.object(2)) == "own 0")
        #expect(text(state, ObjectID(replica: second, sequence: 2, index: 0)) == "own 1")
        let winner = trunk.id > second ? "common 0" : "common 1"
        #expect(text(state, trunk.object(1)) == winner, "equal timestamps: the higher name")
    }

    @Test func aThirdOriginMeansTheBranchThatItKnew() {
        let (trunk, branches) = forked(2)
        let second = ObjectID(replica: name(branches[1], leaving: trunk.id), sequence: 2, index: 0)
        var (one, two) = (Scribe(0xc), Scribe(0xd))
        one.write(at: 8, knowing: [branches[0]], SmallModel.rename(trunk.object(2), "Box", "by c"))
        two.write(at: 8, knowing: [branches[1]], SmallModel.rename(trunk.object(2), "Box", "by d"))
        two.write(at: 9, SmallModel.insert(two.object(2), "Item", SmallModel.inside(trunk.object(2))))
        let all = branches.flatMap(\.written) + one.written + two.written
        let state = everyOrder(all)
        #expect(text(state, trunk.object(2)) == "by c")
        #expect(text(state, second) == "by d")
        #expect(state.row(two.object(2))?[SmallModel.box] == .reference(.object(second)))
    }

    @Test func aReferenceIntoABranchThatIsNotThereIsNotHereYet() {
        let (trunk, branches) = forked(3)
        var third = Scribe(0xd)
        third.write(
            at: 8, knowing: [branches[2]], SmallModel.insert(third.object(1), "Item", SmallModel.inside(trunk.object(2))))
        let without = ReferenceFold.fold(branches[0].written + branches[1].written + third.written)
        guard case .reference(.notHereYet)? = without.row(third.object(1))?[SmallModel.box] else {
            Issue.record("\(without)")
            return
        }
        let with = everyOrder(branches[0].written + branches[2].written + third.written)
        let target = ObjectID(replica: name(branches[2], leaving: trunk.id), sequence: 2, index: 0)
        #expect(with.row(third.object(1))?[SmallModel.box] == .reference(.object(target)))
    }

    @Test func aNameThatAWriterUsedBeforeAThirdBranchArrivedMeansTheSameBranch() {
        let (trunk, branches) = forked(3)
        // The writer saw only the second and third: for it the second kept the name.
        let third = name(branches[2], leaving: trunk.id)
        var writer = Scribe(0xd)
        let entry = ContextEntry(origin: third, sequence: 2, chain: branches[2].chain)
        writer.write(
            at: 8, knowing: [branches[1]], context: [entry], SmallModel.rename(trunk.object(2), "Box", "second"),
            SmallModel.rename(ObjectID(replica: third, sequence: 2, index: 0), "Box", "third"))
        let state = everyOrder(branches.flatMap(\.written) + writer.written)
        let second = ObjectID(replica: name(branches[1], leaving: trunk.id), sequence: 2, index: 0)
        #expect(text(state, second) == "second")
        #expect(text(state, ObjectID(replica: third, sequence: 2, index: 0)) == "third")
    }

    @Test func oldStampsOfAForkedOriginAreRenamedToo() {
        let (trunk, branches) = forked(2)
        var third = Scribe(0xd)
        let seen = Stamp(timestamp: Timestamp(milliseconds: 2), replica: trunk.id)
        third.write(
            at: 8, knowing: [branches[1]],
            .update(
                object: trunk.object(2), entity: "Box", length: 1,
                assignments: [Assignment(SmallModel.name, new: .null, old: .string("1"), overwrote: seen)]))
        let history = ResolvedHistory(branches.flatMap(\.written) + third.written)
        let stamps = history.transactions.flatMap(\.changes).compactMap { change -> Stamp? in
            if case .update(_, _, _, let assignments) = change { assignments[0].overwrote } else { nil }
        }
        #expect(stamps == [Stamp(timestamp: seen.timestamp, replica: name(branches[1], leaving: trunk.id))])
    }

    @Test func branchesGoOnAboveABaseline() {
        let (trunk, start) = forked(2)
        var branches = start
        let baseline = ReferenceFold.fold(branches.flatMap(\.written)).baseline()
        for index in branches.indices {
            branches[index].write(at: 5, SmallModel.rename(trunk.object(2), "Box", "new \(index)"))
        }
        var inner = branches[1]
        branches[1].write(at: 6, nonce: 1, SmallModel.rename(trunk.object(2), "Box", "left"))
        inner.write(at: 6, nonce: 2, SmallModel.rename(trunk.object(2), "Box", "right"))
        let all = branches.flatMap(\.written) + inner.written
        #expect(Picture(ReferenceFold.fold(all, baseline: baseline)) == Picture(ReferenceFold.fold(all)))
    }

    @Test func aGapIsLeftOut() {
        var a = Scribe(0xa)
        for time in 1...3 { a.write(at: UInt64(time), SmallModel.insert(a.object(UInt64(time)), "Box")) }
        #expect(ReferenceFold.fold([a.written[0], a.written[2]]).vector == [a.id: 1])
    }

    @Test func whatThisVersionCannotReadStopsItsOriginAlone() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.write(at: 1, .unknown(kind: 0x81), SmallModel.insert(a.object(1), "Box"))
        a.write(at: 2, .unknown(kind: 0x21), SmallModel.insert(a.object(2), "Box"))
        a.write(at: 3, SmallModel.insert(a.object(3), "Box"))
        b.write(at: 4, SmallModel.insert(b.object(1), "Box"))
        #expect(ReferenceFold.fold(a.written + b.written).vector == [a.id: 1, b.id: 1])
    }

    private func text(_ state: FoldState, _ id: ObjectID) -> String? {
        if case .value(.string(let text))? = state.row(id)?[SmallModel.name] { text } else { nil }
    }
}
