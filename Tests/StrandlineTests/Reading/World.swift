import EventLog
import FoundationEssentials
import Simulation
import Storage
import Strandline

/// An entity with a property of each kind that reading treats in a way of its own.
struct Thing: Entity, Hashable {
    var id = ID()
    var name = ""
    var number = 0
    var maybe: Int? = 7
    var moment = Date(timeIntervalSinceReferenceDate: 0)
    var mark: UUID?
    var code: String?
    var bytes: [UInt8] = []
    var likes = Counter()
    var picture: Blob?
    var owner: One<Thing> = nil
    var owned = Many<Thing>()
    var partner: One<Partner> = nil
    var tags = Many<Label>()

    static let schema = Schema<Self>("Thing") {
        Field("name", \.name)
        Field("number", \.number)
        Field("maybe", \.maybe)
        Field("moment", \.moment)
        Field("mark", \.mark)
        Field("code", \.code, .unique)
        Field("bytes", \.bytes)
        Field("likes", \.likes)
        Field("picture", \.picture)
        Field("owner", \.owner, inverse: \.owned)
        Field("owned", \.owned, inverse: \.owner, onDelete: .cascade)
        Field("partner", \.partner, inverse: \.thing)
        Field("tags", \.tags, inverse: \.things)
    }
}

/// One-to-one with a thing.
struct Partner: Entity, Hashable {
    var id = ID()
    var name = ""
    var thing: One<Thing> = nil
    static let schema = Schema<Self>("Partner") {
        Field("name", \.name)
        Field("thing", \.thing, inverse: \.partner)
    }
}

/// Many-to-many with things.
struct Label: Entity, Hashable {
    var id = ID()
    var name = ""
    var things = Many<Thing>()
    static let schema = Schema<Self>("Label") {
        Field("name", \.name)
        Field("things", \.things, inverse: \.tags)
    }
}

/// Two replicas of a world that two writers fill at once: one whose objects are in runs, another that has all in memory.
struct World {
    let runs: Store
    let memory: Store
    let environment: Environment
    private var random: SplitMix64
    private var number = 0

    init(seed: UInt64, memory bytes: Int = 6_000) async throws {
        var simulated = Environment.simulated(seed: seed)
        simulated.fileSystem = Environment.inMemory().fileSystem
        environment = simulated
        try environment.fileSystem.createDirectory("/shared")
        var options = LiveStateRunsTests.options(memory: bytes)
        runs = try await Store.open(
            .environment("/runs", environment), Thing.self, Partner.self, Label.self, options: options)
        options = Store.Options()
        options.dataset = runs.dataset
        options.projection.isWritten = false
        options.projection.memory = 1 << 30
        memory = try await Store.open(
            .environment("/memory", environment), Thing.self, Partner.self, Label.self, options: options)
        random = SplitMix64(seed: seed)
    }

    func close() async throws {
        try await runs.close()
        try await memory.close()
    }

    /// Both have what the other wrote.
    func meet() async throws {
        for store in [runs, memory, runs] { try await store.sync(with: .folder(path: "/shared")) }
    }

    /// Writes some transactions in either store.
    mutating func step(_ count: Int) async throws {
        for _ in 0..<count {
            let seed = random.next()
            number += 1
            let number = number
            try await (random.next() % 4 == 0 ? memory : runs).write { tx in
                var dice = Dice(seed: seed)
                for place in 0..<1 + dice.below(6) { try Self.edit(tx, &dice, number * 10 + place) }
            }
        }
    }

    private static func edit(_ tx: WriteTransaction, _ dice: inout Dice, _ number: Int) throws {
        let things = try tx.fetch(Thing.all)
        let chosen = things.isEmpty ? nil : things[dice.below(things.count)]
        switch (dice.below(10), chosen) {
        case (0, let thing?): try tx.delete(thing.id)
        case (1...3, let thing?): try tx.update(thing.id) { change(&$0, &dice, number, things) }
        case (4, let thing?):
            let tag = try tx.insert(Label(name: "tag \(number % 5)"))
            try tx.update(thing.id) { $0.tags.insert(tag.id) }
        case (5, let thing?):
            let partner = try tx.insert(Partner(name: "partner \(number)"))
            try tx.update(thing.id) { $0.partner = partner.id }
        default:
            var thing = Thing()
            change(&thing, &dice, number, things)
            // One code for some transactions, so that both writers use it; where it is taken it would be refused.
            let code = dice.below(2) == 0 ? "code \(number / 60)" : nil
            if !things.contains(where: { $0.code == code }) { thing.code = code }
            try tx.insert(thing)
        }
    }

    private static func change(_ thing: inout Thing, _ dice: inout Dice, _ number: Int, _ things: [Thing]) {
        thing.number = number
        if dice.below(2) == 0 { thing.name = String(repeating: "thing \(number) ", count: 1 + dice.below(5)) }
        if dice.below(3) == 0 { thing.maybe = dice.below(2) == 0 ? nil : number }
        if dice.below(3) == 0 { thing.moment = Date(timeIntervalSinceReferenceDate: Double(number) / 4) }
        if dice.below(3) == 0 { thing.mark = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, UInt8(number & 255))) }
        if dice.below(4) == 0 { thing.bytes = Array(repeating: UInt8(number & 255), count: dice.below(20)) }
        if dice.below(3) == 0 { thing.likes += Int64(dice.below(9)) }
        if dice.below(5) == 0 { thing.picture = dice.below(4) == 0 ? nil : Blob([UInt8(number & 255), 1]) }
        if dice.below(3) == 0, !things.isEmpty { thing.owner = things[dice.below(things.count)].id }
    }
}

/// Chance from a seed.
struct Dice {
    private var random: SplitMix64
    init(seed: UInt64) { random = SplitMix64(seed: seed) }
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
}
