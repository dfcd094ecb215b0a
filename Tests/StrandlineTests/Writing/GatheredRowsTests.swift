import EventLog
import Projection
import Simulation
import Strandline
import Testing

/// A thing with a key, values of most types and one that may be missing.
private struct Piece: Entity {
    var id = ID()
    var code: String?
    var count = 0
    var weight = 0.0
    var isOld = false
    var note: String?
    static let schema = Schema<Self>("Piece") {
        Field("code", \.code, .unique)
        Field("count", \.count)
        Field("weight", \.weight)
        Field("isOld", \.isOld)
        Field("note", \.note)
    }

    init() {}
    init(_ code: String?, count: Int) { (self.code, self.count) = (code, count) }
}

/// A thing without a key.
private struct Remark: Entity {
    var id = ID()
    var text = ""
    static let schema = Schema<Self>("Remark") { Field("text", \.text) }
}

/// Inserts that a transaction gathers are there for whatever it does next.
@Suite struct GatheredRowsTests {
    /// What a store should have.
    private struct Model {
        var things: [Piece.ID: Piece] = [:]
        var marks = 0
        var codes: [String: Piece.ID] = [:]
    }

    private static func step(_ tx: WriteTransaction, _ model: inout Model, _ random: inout SplitMix64) throws {
        switch random.next() % 14 {
        case 0...7:
            let code = random.next() % 8 == 0 ? nil : "c\(random.next() % 300)"
            var thing = Piece(code, count: Int(random.next() % 50))
            thing.note = random.next() % 2 == 0 ? nil : String(repeating: "n", count: Int(random.next() % 40))
            if random.next() % 60 == 0 { thing.note = String(repeating: "l", count: 40_000) }
            if let code, let holder = model.codes[code] {
                let error = #expect(throws: StoreError.self) { try tx.insert(thing) }
                #expect(error?.code == .duplicateKey && error?.objects.contains(holder.object) == true)
            } else {
                let made = try tx.insert(thing)
                model.things[made.id] = made
                if let code { model.codes[code] = made.id }
            }
        case 8:
            let code = "c\(random.next() % 300)"
            let (id, outcome) = try tx.upsert(Piece(code, count: 7))
            #expect((outcome == .inserted) == (model.codes[code] == nil))
            if let held = model.codes[code] { #expect(held == id) }
            model.codes[code] = id
            model.things[id] = try tx.get(id)
        case 9:
            try tx.insert(Remark())
            model.marks += 1
        case 10:
            guard let (id, thing) = model.things.randomElement(using: &random) else { return }
            #expect(try tx.get(id)?.code == thing.code)
            try tx.update(id) { $0.count = 99 }
            model.things[id]?.count = 99
        case 11:
            guard let (id, thing) = model.things.randomElement(using: &random) else { return }
            try tx.delete(id)
            model.things[id] = nil
            if let code = thing.code { model.codes[code] = nil }
        case 12:
            #expect(try tx.count(Piece.all) == model.things.count)
            #expect(try tx.count(Remark.all) == model.marks)
        default:
            // By values, of the same shape and of another one.
            let code = "v\(random.next())"
            let names = random.next() % 2 == 0 ? ["code", "count"] : ["code", "count", "weight", "isOld", "note"]
            let all: [String: PropertyValue] = [
                "code": PropertyValue(Property("code", .string), .string(code)),
                "count": PropertyValue(Property("count", .int), .int(3)),
                "weight": PropertyValue(Property("weight", .double), .double(0)),
                "isOld": PropertyValue(Property("isOld", .bool), .bool(false)),
                "note": PropertyValue(Property("note", .string), .null),
            ]
            let id = Piece.ID(try tx.insert("Piece", names.compactMap { all[$0] }))
            model.codes[code] = id
            model.things[id] = try tx.get(id)
        }
    }

    @Test(arguments: 0..<24 as Range<UInt64>) func whateverComesNextSeesThem(seed: UInt64) async throws {
        let store = try await Store.open(.inMemory, Piece.self, Remark.self)
        var random = SplitMix64(seed: seed)
        var model = Model()
        struct Enough: Error {}
        for round in 0..<6 {
            let isTakenBack = round == 2
            let (before, start) = (model, random)
            do {
                (model, random) = try await store.write { tx in
                    var (model, random) = (before, start)
                    for _ in 0..<400 { try Self.step(tx, &model, &random) }
                    if isTakenBack { throw Enough() }
                    return (model, random)
                }.value
            } catch is Enough {
                random = SplitMix64(seed: seed ^ 0xFF)
            }
            #expect(try store.count(Piece.all) == model.things.count)
            for (id, thing) in model.things {
                let held = try store.get(id)
                #expect(held?.code == thing.code && held?.count == thing.count && held?.note == thing.note)
            }
        }
        // What the log says comes to the same.
        let digest = try store.digest()
        try await store.rebuild()
        #expect(try store.digest() == digest)
        try await store.close()
    }

    /// What cannot be told the log fails the write, whatever the closure does with the error.
    @Test func whatFailsLaterFailsTheWrite() async throws {
        let store = try await Store.open(.inMemory, Piece.self, Remark.self)
        await #expect(throws: StoreError.self) {
            try await store.write { tx in
                for number in 0..<10 { try tx.insert(Piece("a\(number)", count: number)) }
                #expect(throws: StoreError.self) { try tx.insert(Piece("a3", count: 0)) }
                throw StoreError(.busy, "given up")
            }
        }
        #expect(try store.count(Piece.all) == 0)
        try await store.close()
    }
}
