import EventLog
import Projection
import Simulation
import Storage

/// Records as a fold of random changes leaves them, with every type of property.
struct RandomRecords {
    private var random: SplitMix64
    private let replicas: [ReplicaID]
    private let words: [String]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        replicas = (0..<4).map { _ in ReplicaID(Digest128(high: random.next(), low: random.next())) }
        words = ["red", "green", "blue", "", "größer", "日本語の文字列はここにあります、長いものも", "e\u{301}", "\u{e9}", "zebra"]
        self.random = random
    }

    mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// Objects by section and id, as a run wants them.
    ///
    /// - Parameter plain: the share in percent of objects that nothing happened to after their insert.
    mutating func records(_ count: Int, entities: Int, plain: Int) -> [(id: ObjectID, record: ObjectRecord)] {
        var state = FoldState()
        var ids: [ObjectID] = []
        let shapes = (0..<entities).map { _ in properties() }
        var time: UInt64 = 1 << 40
        while ids.count < count {
            let replica = replicas[below(chance(70) ? 1 : 4)]
            let sequence = random.next() % 1_000_000 + 1
            time += random.next() % 1000 + 1
            let stamp = Stamp(timestamp: Timestamp(rawValue: time), replica: replica)
            for index in 0..<UInt32(below(8) + 1) where ids.count < count {
                let id = ObjectID(replica: replica, sequence: sequence, index: index * UInt32(chance(80) ? 1 : 3))
                guard state.objects[id] == nil else { continue }
                let entity = below(entities)
                ids.append(id)
                let values = values(shapes[entity])
                state.apply(.insert(object: id, entity: "Entity\(entity)", values: values), stamp: stamp)
                if !chance(plain) { change(id, "Entity\(entity)", shapes[entity], &state, &time, ids) }
            }
        }
        return ids.compactMap { id in state.objects[id].map { (id, $0) } }.sorted { a, b in
            (RunSection(of: a.record), a.id) < (RunSection(of: b.record), b.id)
        }
    }

    /// What happens to an object after its insert.
    private mutating func change(
        _ id: ObjectID, _ entity: String, _ shape: [Property], _ state: inout FoldState, _ time: inout UInt64,
        _ ids: [ObjectID]
    ) {
        for _ in 0..<below(4) {
            time += 1
            let stamp = Stamp(timestamp: Timestamp(rawValue: time), replica: replicas[below(4)])
            let length = state.objects[id]?.length ?? 1
            switch below(7) {
            case 0: state.apply(.delete(object: id, entity: entity, length: 2, seen: []), stamp: stamp)
            case 1: state.apply(.restore(object: id, entity: entity, length: 3, values: values(shape)), stamp: stamp)
            case 2:
                let edges = Property("edges", .edges)
                state.apply(
                    .edge(
                        owner: id, entity: entity, property: edges, target: ids[below(ids.count)], ownerLength: length,
                        length: UInt32(below(3) + 1)), stamp: stamp)
            case 3:
                let counter = Property("counter\(below(2))", .counter)
                state.apply(
                    .increment(
                        object: id, entity: entity, length: length, property: counter, by: Int64(below(100)) - 50,
                        seen: 0), stamp: stamp)
            default:
                // Now and then under a length that has not come yet.
                let under = chance(10) ? length + 2 : length
                let assignments = values(shape).map { Assignment($0.property, new: $0.value, old: nil, overwrote: nil) }
                state.apply(.update(object: id, entity: entity, length: under, assignments: assignments), stamp: stamp)
            }
        }
    }

    /// A random set of properties; some differ in type alone.
    private mutating func properties() -> [Property] {
        var result: Set<Property> = []
        for type in ValueType.allCases where type != .edges && chance(80) {
            for _ in 0..<(below(2) + 1) {
                result.insert(Property(chance(20) ? "shared" : "\(type)\(below(2))", type))
            }
        }
        return result.sorted()
    }

    private mutating func values(_ shape: [Property]) -> [PropertyValue] {
        var values: [PropertyValue] = []
        for property in shape where !chance(10) { values.append(PropertyValue(property, value(property.type))) }
        return values
    }

    private mutating func value(_ type: ValueType) -> Value {
        if chance(8) { return .null }
        switch type {
        case .bool: return .bool(chance(50))
        case .int: return .int(integer())
        case .counter: return .counter(integer())
        case .double: return .double(double())
        case .date: return .date(chance(50) ? Double(below(1 << 30)) : double())
        case .string: return .string(text())
        case .uuid: return .uuid(Digest128(high: random.next(), low: random.next()))
        case .data: return .data(bytes(below(chance(95) ? 20 : 4000)))
        case .blob:
            let id = BlobID(
                high: Digest128(high: random.next(), low: random.next()),
                low: Digest128(high: random.next(), low: random.next()))
            let inline = chance(50) ? bytes(below(100)) : nil
            return .blob(BlobReference(id: id, length: inline.map { UInt64($0.count) } ?? random.next() >> 20, inline: inline))
        case .reference:
            return .reference(
                ObjectID(
                    replica: replicas[below(4)], sequence: chance(5) ? .max : random.next() >> 40,
                    index: chance(5) ? .max : UInt32(below(100))))
        case .edges: return .null
        }
    }

    private mutating func integer() -> Int64 {
        switch below(20) {
        case 0: .min
        case 1: .max
        case 2: Int64(bitPattern: random.next())
        default: Int64(below(1000)) - 200
        }
    }

    private mutating func double() -> Double {
        let special: [Double] = [.nan, .infinity, -.infinity, -0.0, 0, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
        return chance(3) ? special[below(special.count)] : Double(Int64(bitPattern: random.next())) / 1e12
    }

    private mutating func text() -> String {
        switch below(10) {
        case 0: String(repeating: words[below(words.count)], count: below(20))
        case 1: "common beginning, longer than any bound, " + words[below(words.count)] + String(below(1000))
        case 2: "\(words[below(words.count)])\(random.next())"
        default: words[below(words.count)]
        }
    }

    private mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
}

extension ObjectRecord {
    /// What the record itself reads as: what a column must say.
    func own(_ property: Property) -> Value? {
        guard isAlive, entity != nil else { return nil }
        let start = current.registers[property]?.value
        guard property.type == .counter, let sums = current.counters[property], !sums.isEmpty else { return start }
        let sum = sums.reduce(Int64(0)) { $0 &+ $1.value }
        if case .counter(let base)? = start { return .counter(base &+ sum) }
        return .counter(sum)
    }

    /// Every property the record itself has something of.
    var ownProperties: Set<Property> {
        guard isAlive, entity != nil else { return [] }
        return Set(current.registers.map(\.key)).union(current.counters.map(\.key).filter { $0.type == .counter })
    }
}

extension FoldState {
    /// All records, ascending by id.
    var sortedRecords: [(id: ObjectID, record: ObjectRecord)] {
        var records: [(id: ObjectID, record: ObjectRecord)] = []
        objects.visit { records.append(($0, $1)) }
        return records.sorted { $0.id < $1.id }
    }
}
