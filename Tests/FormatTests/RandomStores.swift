import EventLog
import Simulation
import Storage
import Strandline

/// Replicas that write, sync in part, are rolled back, and disagree about the time, all from one seed.
struct RandomStores {
    private let machine: FormatMachine
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        machine = FormatMachine(seed: seed &* 1_000)
    }

    private static let partner = Property("partner", .reference)

    /// Items have one partner each, which the kept stores do without.
    private static let partners = EntityDeclaration(
        name: "Item",
        fields: [
            FieldDeclaration(
                partner, isOptional: true,
                relationship: Relationship(
                    target: "Item", inverse: "partnered", isToMany: false, deleteRule: .nullify, storage: .register)),
            FieldDeclaration(
                Property("partnered", .reference),
                relationship: Relationship(
                    target: "Item", inverse: "partner", isToMany: false, deleteRule: .nullify, storage: .inverse)),
        ])

    /// The stores as they are in the end.
    func run() async throws -> [StoreFiles] {
        var random = SplitMix64(seed: seed)
        var homes = [(machine, "/r0")]
        try machine.create("/r0")
        let dataset = try await machine.with("/r0") { store in
            try await store.write { tx in
                for entity in FormatModel.declarations() + [Self.partners] { try tx.declare(entity) }
            }
            return store.dataset
        }
        for number in 1..<3 {
            try machine.create("/r\(number)", dataset: dataset)
            homes.append((machine, "/r\(number)"))
        }
        for step in 0..<24 {
            let (home, path) = homes[Int.random(in: homes.indices, using: &random)]
            machine.clock.advance(milliseconds: UInt64.random(in: 0...2, using: &random))
            switch Int.random(in: 0..<20, using: &random) {
            case 0 where homes.count < 5:
                homes.append((home.clone(seed: seed &* 1_000 &+ UInt64(step) + 1), path))
            case 1:
                // This one writes from the future, and time goes back.
                let now = machine.clock.now()
                machine.clock.set(now: now + 200_000)
                try await write(home, path, &random)
                machine.clock.set(now: now)
            case 2: machine.clock.advance(milliseconds: 90_000)
            case 3..<10:
                let (other, target) = homes[Int.random(in: homes.indices, using: &random)]
                if other.files !== home.files || target != path { try home.sync(path, with: target, on: other) }
            default: try await write(home, path, &random)
            }
        }
        for (home, path) in homes.dropFirst() { try machine.sync("/r0", with: path, on: home) }
        return try homes.prefix(4).map { try $0.0.contents(of: $0.1) }
    }

    private func write(_ home: FormatMachine, _ path: String, _ random: inout SplitMix64) async throws {
        let seed = random.next()
        try await home.with(path) { store in
            // What it wrote before taken back, deletes among it.
            if seed % 6 == 0, let own = store.token.vector.entries.first(where: { $0.origin == store.replica }) {
                _ = try? await store.undo(own.origin, own.sequence, author: "undo")
            }
            for number in 0..<(1 + seed % 3) {
                _ = try? await store.write(author: "r") { tx in
                    var random = SplitMix64(seed: seed &+ number)
                    for _ in 0..<Int.random(in: 1...4, using: &random) { try Self.change(tx, &random) }
                    if random.next() % 10 == 0 { throw CancellationError() }
                }
            }
        }
    }

    private static func change(_ tx: WriteTransaction, _ random: inout SplitMix64) throws {
        let items = try tx.ids(of: "Item")
        let tags = try tx.ids(of: "Tag")
        let kind = Int.random(in: 0..<12, using: &random)
        guard kind > 2, let item = items.randomElement(using: &random), let tag = tags.randomElement(using: &random) else {
            return try insert(tx, items, tags.isEmpty || kind == 0, &random)
        }
        switch kind {
        case 3..<6:
            try tx.update(
                item,
                [
                    PropertyValue(FormatModel.title, .string("t\(random.next() % 100)")),
                    PropertyValue(FormatModel.number, random.next() % 4 == 0 ? .null : .int(Int64(random.next() % 9))),
                    PropertyValue(FormatModel.parent, items.randomElement(using: &random).map { .reference($0) } ?? .null),
                    // One of few, so that replicas choose the same.
                    PropertyValue(partner, items.prefix(2).randomElement(using: &random).map { .reference($0) } ?? .null),
                ])
        case 6: try tx.increment(item, "score", by: Int64(random.next() % 20) - 5)
        case 7: try tx.increment(tag, "score", by: 1)
        case 8: try tx.setEdge(item, "tags", tag, isPresent: random.next() % 3 > 0)
        case 9: try tx.delete(item)
        case 10: try tx.delete(tag)
        default: try tx.update(tag, [PropertyValue(FormatModel.title, .string("tag \(random.next() % 100)"))])
        }
    }

    private static func insert(_ tx: WriteTransaction, _ items: [ObjectID], _ isTag: Bool, _ random: inout SplitMix64) throws {
        if isTag {
            let name = Value.string("tag \(random.next() % 3)")
            let title = Value.string("new \(random.next() % 100)")
            try tx.upsert(
                "Tag",
                [
                    PropertyValue(FormatModel.name, name), PropertyValue(FormatModel.realm, .int(1)),
                    PropertyValue(FormatModel.title, title),
                ], policy: .overwrite)
        } else {
            var values = [
                PropertyValue(FormatModel.title, .string("new \(random.next() % 100)")),
                PropertyValue(FormatModel.score, .counter(Int64(random.next() % 5))),
            ]
            if let parent = items.randomElement(using: &random) {
                values.append(PropertyValue(FormatModel.parent, .reference(parent)))
            }
            try tx.insert("Item", values)
        }
    }
}
