import EventLog
import Storage

/// Random changes as an application might make them, with everything the codec can carry.
struct RandomTransaction {
    let origin: ReplicaID
    let sequence: UInt64
    var changes: [Change] = []
    private var dice: Dice
    private var nextIndex: UInt32 = 0
    private let replicas: [ReplicaID]
    private var known: [ObjectID]

    init(seed: UInt64, count: Int) {
        var dice = Dice(seed)
        origin = ReplicaID(dice.digest())
        sequence = 1 + (dice.chance(10) ? dice.next() / 2 : dice.next() % 1000)
        replicas = (0..<3).map { _ in ReplicaID(dice.digest()) } + [origin]
        known = []
        self.dice = dice
        for _ in 0..<8 { known.append(object()) }
        for _ in 0..<count { changes.append(change()) }
    }

    /// Gives the changes to a builder of the same origin and sequence.
    static func feed(_ changes: [Change], to builder: TransactionBuilder) throws {
        for change in changes {
            guard let id = try builder.add(change), let object = change.object else { continue }
            guard id == object else { throw UnexpectedID(expected: object, got: id) }
        }
    }

    struct UnexpectedID: Error {
        let expected: ObjectID, got: ObjectID
    }

    private mutating func change() -> Change {
        let entity = dice.pick(["Post", "Ünïcode", "e\u{301}", "\u{e9}"])
        switch dice.below(20) {
        case 0..<8:
            let id = ObjectID(replica: origin, sequence: sequence, index: nextIndex)
            nextIndex += 1
            known.append(id)
            return .insert(object: id, entity: entity, values: values())
        case 8..<13: return .update(object: dice.pick(known), entity: entity, length: odd(), assignments: assignments())
        case 13: return .delete(object: dice.pick(known), entity: entity, length: odd() + 1, seen: values())
        case 14: return .restore(object: dice.pick(known), entity: entity, length: odd() + 2, values: values())
        case 15, 16:
            return .edge(
                owner: dice.pick(known), entity: entity, property: Property("tags", .edges), target: object(),
                ownerLength: odd(), length: 1 + UInt32(dice.below(5)))
        case 17, 18:
            return .increment(
                object: dice.pick(known), entity: entity, length: odd(), property: Property("likes", .counter),
                by: number(), seen: number())
        default:
            if dice.chance(20) { return .undo(origin: dice.pick(replicas), sequence: 1 + dice.next() % 5000) }
            return dice.chance(80) ? .schema(declaration()) : .rename(former: dice.pick(replicas))
        }
    }

    private mutating func odd() -> UInt32 { 1 + 2 * UInt32(dice.below(dice.chance(5) ? 1_000_000_000 : 3)) }

    private mutating func object() -> ObjectID {
        ObjectID(replica: dice.pick(replicas), sequence: 1 + dice.next() % 5000, index: UInt32(dice.below(300)))
    }

    /// One of a few shapes, so that groups grow.
    private mutating func values() -> [PropertyValue] {
        let types = ValueType.allCases.filter { $0 != .edges }
        let shape = dice.below(3)
        let chosen = shape == 0 ? types : shape == 1 ? [.string, .int] : [dice.pick(types)]
        var values: [PropertyValue] = []
        for type in chosen { values.append(PropertyValue(Property("p\(type)", type), value(type))) }
        return values
    }

    private mutating func assignments() -> [Assignment] {
        var assignments: [Assignment] = []
        for entry in values() {
            let isAbsent = dice.chance(20)
            let stamp = Stamp(timestamp: Timestamp(rawValue: dice.next() >> 1), replica: dice.pick(replicas))
            assignments.append(
                Assignment(
                    entry.property, new: entry.value, old: isAbsent ? nil : value(entry.property.type),
                    overwrote: isAbsent ? nil : stamp))
        }
        return assignments
    }

    private mutating func number() -> Int64 {
        switch dice.below(5) {
        case 0: Int64(dice.below(200))
        case 1: Int64(dice.below(70_000)) - 35_000
        case 2: Int64(truncatingIfNeeded: dice.next())
        case 3: dice.chance(50) ? .min : .max
        default: Int64(dice.below(3))
        }
    }

    private mutating func value(_ type: ValueType) -> Value {
        if dice.chance(20) { return .null }
        switch type {
        case .bool: return .bool(dice.chance(50))
        case .int: return .int(number())
        case .double: return .double(dice.chance(20) ? .nan : Double(dice.below(1000)) / 7)
        case .string:
            let long = String(repeating: "x", count: 90)
            return .string(dice.pick(["", "a", "héllo", "e\u{301}", "\u{e9}", "日本語のテキスト", long]))
        case .date: return .date(Double(dice.below(1_000_000)) + 0.25)
        case .uuid: return .uuid(dice.digest())
        case .data: return .data((0..<dice.below(20)).map { UInt8($0) })
        case .blob:
            let inline = dice.chance(50) ? (0..<dice.below(30)).map { UInt8($0) } : nil
            let length = UInt64(inline?.count ?? dice.below(1_000_000_000))
            return .blob(
                BlobReference(id: BlobID(high: dice.digest(), low: dice.digest()), length: length, inline: inline))
        case .reference: return .reference(object())
        case .counter: return .counter(number())
        case .edges: return .null
        }
    }

    private mutating func declaration() -> EntityDeclaration {
        let relationship = Relationship(
            target: "Tag", inverse: dice.chance(50) ? "posts" : nil, isToMany: dice.chance(50),
            deleteRule: dice.pick([.nullify, .cascade, .deny, .noAction]),
            storage: dice.pick([.register, .inverse, .edges, .inverseEdges]))
        return EntityDeclaration(
            name: "Post", version: UInt32(dice.below(5)),
            fields: [
                FieldDeclaration(
                    Property("title", .string), isOptional: dice.chance(50), isIndexed: dice.chance(50)),
                FieldDeclaration(Property("tags", .edges), relationship: relationship),
            ], uniqueKey: dice.chance(50) ? ["title"] : [])
    }
}
