import FoundationEssentials
import Projection
import Strandline
import Testing

/// Predicates of Foundation mean what the predicate texts beside them say.
@Suite struct FetchRequestMatchingTests {
    private func expect(
        _ predicate: Predicate<Thing>, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (found, expected) = (try Thing.matching(predicate).filter, try Filter(text))
        #expect(found == expected, "\(found)", sourceLocation: sourceLocation)
    }

    @Test func comparisonsAndWhatJoinsThem() throws {
        let limit = 5
        try expect(#Predicate { $0.number > limit }, "number > 5")
        try expect(#Predicate { $0.number >= 1 && $0.name != "x" }, "number >= 1 AND name != 'x'")
        try expect(#Predicate { $0.number < 1 || !($0.number <= 9) }, "number < 1 OR NOT (number <= 9)")
        try expect(#Predicate { $0.number == $0.number }, "number == number")
        try expect(
            #Predicate { $0.number > 1 ? $0.name == "a" : $0.name == "b" },
            "(number > 1 AND name == 'a') OR (NOT (number > 1) AND name == 'b')")
    }

    @Test func figuresRangesAndLists() throws {
        let some = [1, 2]
        let range = 3..<9
        try expect(#Predicate { $0.number + 1 == 3 }, "number + 1 == 3")
        try expect(#Predicate { $0.number * 2 > $0.number - 1 }, "number * 2 > number - 1")
        try expect(#Predicate { -$0.number < 3 }, "0 - number < 3")
        try expect(#Predicate { (1...3).contains($0.number) }, "number BETWEEN {1, 3}")
        try expect(#Predicate { range.contains($0.number) }, "number >= 3 AND number < 9")
        try expect(#Predicate { some.contains($0.number) }, "number IN {1, 2}")
        try expect(#Predicate { $0.likes.value > 2 }, "likes > 2")
    }

    @Test func texts() throws {
        try expect(#Predicate { $0.name.contains("x") }, "name CONTAINS 'x'")
        try expect(#Predicate { $0.name.starts(with: "x") }, "name BEGINSWITH 'x'")
        try expect(#Predicate { $0.name.isEmpty }, "name == ''")
    }

    @Test func optionals() throws {
        try expect(#Predicate { $0.maybe == nil }, "maybe == nil")
        try expect(#Predicate { $0.maybe != nil }, "maybe != nil")
        try expect(#Predicate { ($0.maybe ?? 3) > 2 }, "(NOT (maybe == nil) AND maybe > 2) OR (maybe == nil AND 3 > 2)")
        try expect(#Predicate { $0.maybe! > 2 }, "maybe > 2")
        try expect(#Predicate { $0.code?.contains("b") == true }, "code CONTAINS 'b' AND NOT (code == nil)")
        try expect(
            #Predicate { $0.code?.contains("b") == false },
            "NOT (code CONTAINS 'b' AND NOT (code == nil)) AND NOT (code == nil)")
        try expect(
            #Predicate { $0.code?.contains("b") ?? true },
            "(code CONTAINS 'b' AND NOT (code == nil)) OR (code == nil AND TRUEPREDICATE)")
    }

    @Test func relationshipsAndIDs() throws {
        let id = Thing.ID()
        let ids = [id]
        let reference = Operand.constant(.reference(id.object))
        #expect(
            try Thing.matching(#Predicate { $0.owner == id }).filter == .compare(.property("owner"), .equal, reference))
        #expect(try Thing.matching(#Predicate { $0.id == id }).filter == .compare(.path(.object), .equal, reference))
        #expect(
            try Thing.matching(#Predicate { ids.contains($0.id) }).filter
                == .comparison(Comparison(.path(.object), .in, [reference])))
        #expect(
            try Thing.matching(#Predicate { $0.owned.contains(id) }).filter
                == .comparison(Comparison(.property("owned"), .equal, [reference], quantifier: .any)))
        try expect(#Predicate { $0.owned.isEmpty }, "owned.@count == 0")
        try expect(#Predicate { $0.owned.count > 2 }, "owned.@count > 2")
    }

    @Test func whatNoFilterCanSayIsNamed() throws {
        let failures: [(Predicate<Thing>, String)] = [
            (#Predicate { $0.number % 2 == 0 }, "IntRemainder"),
            (#Predicate { $0.owned.allSatisfy { $0.isPlaceholder } }, "SequenceAllSatisfy"),
            (#Predicate { $0.name.count > 3 }, "KeyPath"),
        ]
        for (predicate, node) in failures {
            let error = #expect(throws: StoreError.self) { try Thing.matching(predicate) }
            #expect(error?.code == .invalidPredicate && "\(error.map { "\($0)" } ?? "")".contains("with \(node)"))
        }
    }

    /// Foundation evaluates it too: both select the same.
    @Test func foundationSelectsTheSame() async throws {
        var world = try await World(seed: 41)
        for _ in 0..<2 {
            try await world.step(20)
            try await world.meet()
        }
        let things = try world.memory.fetch(Thing.all)
        let last = String(try #require(things.compactMap(\.code).first).suffix(1))
        let predicates: [Predicate<Thing>] = [
            #Predicate { $0.number > 100 && $0.maybe == nil }, #Predicate { ($0.maybe ?? 50) > 40 },
            #Predicate { $0.code?.contains(last) ?? false }, #Predicate { !($0.code?.contains(last) == true) },
            #Predicate { $0.code?.contains(last) == false }, #Predicate { $0.name.isEmpty || $0.owned.isEmpty },
        ]
        for predicate in predicates {
            let expected = try things.filter { try predicate.evaluate($0) }
            #expect(try world.runs.fetch(Thing.matching(predicate)) == expected)
            #expect(!expected.isEmpty && expected.count < things.count)
        }
        try await world.close()
    }
}
