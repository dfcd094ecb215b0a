import EventLog
import Storage
import Testing

@Suite struct BaselineReaderTests {
    static func bodies(_ baseline: Baseline) throws -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        try BaselineWriter.write(baseline) { bodies.append($0) }
        return bodies
    }

    static func baseline(seed: UInt64, objects: Int) -> Baseline {
        var dice = Dice(seed)
        let replicas = (0..<4).map { _ in ReplicaID(dice.digest()) }.sorted()
        var baseline = Baseline()
        for name in replicas {
            let context = replicas.filter { $0 != name }.map {
                ContextEntry(origin: $0, sequence: 1 + dice.next() % 1000, chain: dice.digest())
            }
            baseline.floor.append(
                Baseline.FloorEntry(
                    branch: BranchRoot(origin: name, firstSequence: 1 + UInt64(dice.below(3)), chain: dice.digest()),
                    name: name,
                    sequence: dice.next() % 10_000, chain: dice.digest(), timestamp: Timestamp(rawValue: dice.next()),
                    context: context))
        }
        let made = RandomTransaction(seed: seed, count: 400)
        for change in made.changes {
            guard case .schema(let declaration) = change else { continue }
            let stamp = Stamp(timestamp: Timestamp(rawValue: dice.next()), replica: dice.pick(replicas))
            baseline.schema.append(Baseline.SchemaEntry(stamp: stamp, declaration: declaration))
        }
        for number in 0..<objects {
            let id = ObjectID(
                replica: replicas[number * 4 / objects], sequence: UInt64(1 + number / 3), index: UInt32(number % 3))
            baseline.objects.append(object(id, made, replicas, &dice))
        }
        return baseline
    }

    private static func object(
        _ id: ObjectID, _ made: RandomTransaction, _ replicas: [ReplicaID], _ dice: inout Dice
    ) -> Baseline.Object {
        var object = Baseline.Object(
            id: id, entity: dice.chance(90) ? dice.pick(["Post", "Ünïcode"]) : nil,
            created: Timestamp(rawValue: dice.chance(90) ? dice.next() : 0), length: UInt32(dice.below(4)))
        if case .insert(_, _, let values) = dice.pick(made.changes) {
            for entry in values {
                let stamp = Stamp(timestamp: Timestamp(rawValue: dice.next()), replica: dice.pick(replicas))
                object.registers.append(
                    Baseline.Register(
                        property: entry.property, length: 1, isExplicit: dice.chance(50), stamp: stamp, value: entry.value))
            }
        }
        for replica in replicas where dice.chance(20) {
            object.sums.append(
                Baseline.CounterSum(
                    property: Property("likes", .counter), length: 1, origin: replica,
                    sum: Int64(truncatingIfNeeded: dice.next())))
        }
        for index in 0..<UInt32(dice.below(3)) {
            object.edges.append(
                Baseline.Edge(
                    property: Property("tags", .edges), target: ObjectID(replica: replicas[0], sequence: 1, index: index),
                    ownerLength: 1, length: 1 + index))
        }
        return object
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func comesBack(seed: UInt64) throws {
        let baseline = Self.baseline(seed: seed, objects: Int(seed * seed))
        #expect(try Baseline(bodies: Self.bodies(baseline)) == baseline)
    }

    @Test func aLargeBaselineComesInBodies() throws {
        let baseline = Self.baseline(seed: 5, objects: 60_000)
        let bodies = try Self.bodies(baseline)
        #expect(bodies.count > 1)
        #expect(bodies.allSatisfy { $0.count < 2 * BaselineFormat.preferredBody })
        #expect(try Baseline(bodies: bodies) == baseline)
        #expect(throws: StorageError.self) { try Baseline(bodies: Array(bodies.dropLast())) }
        #expect(throws: StorageError.self) { try Baseline(bodies: Array(bodies.dropFirst())) }
        #expect(throws: StorageError.self) { try Baseline(bodies: bodies + [bodies[0]]) }
    }

    @Test func aGiantObjectIsSpread() throws {
        let replica = ReplicaID(Digest128(high: 1, low: 1))
        var object = Baseline.Object(
            id: ObjectID(replica: replica, sequence: 1, index: 0), entity: "Post", created: Timestamp(rawValue: 1), length: 1)
        let stamp = Stamp(timestamp: Timestamp(rawValue: 1), replica: replica)
        for number in 0..<20 {
            object.registers.append(
                Baseline.Register(
                    property: Property("p\(number + 10)", .data), length: 1, isExplicit: true, stamp: stamp,
                    value: .data([UInt8](repeating: UInt8(number), count: 1_000_000))))
        }
        for index in 0..<50_000 as Range<UInt32> {
            object.edges.append(
                Baseline.Edge(
                    property: Property("tags", .edges), target: ObjectID(replica: replica, sequence: 2, index: index),
                    ownerLength: 1, length: 1))
        }
        let baseline = Baseline(objects: [object])
        let bodies = try Self.bodies(baseline)
        #expect(bodies.count >= 4)
        #expect(bodies.allSatisfy { $0.count < BaselineFormat.maximumBody })
        #expect(try Baseline(bodies: bodies) == baseline)
    }

    @Test func anEmptyBaselineIsOneBody() throws {
        #expect(try Self.bodies(Baseline()) == [[1, 0, 1, 0, 0, 0, 0, 0, 0]])
    }
}
