package import EventLog

extension FoldState {
    /// The state that a baseline stands for.
    package init(_ baseline: Baseline) {
        self.init()
        apply(baseline: baseline)
    }

    /// Joins a baseline: the state then stands for all that either stood for.
    ///
    /// For each part the highest holds; an object that one side covers and lacks is deleted.
    package mutating func apply(baseline: Baseline) {
        precondition(journal == nil, "a baseline cannot be taken back")
        let floor = baseline.vector
        let gained = Set(floor.filter { $0.value > origins[$0.key]?.sequence ?? 0 }.keys)
        for object in baseline.objects {
            withRecord(object.id) { $0.join(object, sumsOf: gained) }
        }
        let kept = Set(baseline.objects.map(\.id))
        var gone: [ObjectID] = []
        objects.visit { id, _ in
            if !kept.contains(id), (floor[id.replica] ?? 0) >= id.sequence { gone.append(id) }
        }
        for id in gone {
            withRecord(id) { $0.raise(to: 2) }
        }
        var schema = schema
        for record in baseline.schema { schema.merge(record.declaration, stamp: record.stamp) }
        replaceSchema(by: schema)
        applyFloor(baseline, gained)
    }

    /// Takes over how far a baseline goes in the origins of which it has more.
    mutating func applyFloor(_ baseline: Baseline, _ gained: Set<ReplicaID>) {
        for entry in baseline.floor where gained.contains(entry.name) {
            origins[entry.name] = AppliedOrigin(
                branch: entry.branch, sequence: entry.sequence, chain: entry.chain, timestamp: entry.timestamp,
                context: Dictionary(uniqueKeysWithValues: entry.context.map { ($0.origin, $0) }))
        }
    }

    /// The state of runs, with what is applied and declared as a baseline without objects tells.
    package init(_ frame: Baseline, runs: RunSet, irregular: Set<ObjectID>) {
        self.init(frame)
        objects.replaceBase(runs)
        self.irregular = IrregularObjects(irregular)
    }

    /// What is applied and declared, without the objects.
    package var frame: Baseline {
        let floor = origins.filter { $0.value.sequence > 0 }.sorted { $0.key < $1.key }.map { name, origin in
            Baseline.FloorEntry(
                branch: origin.branch, name: name, sequence: origin.sequence, chain: origin.chain,
                timestamp: origin.timestamp, context: origin.context.values.sorted { $0.origin < $1.origin })
        }
        return Baseline(floor: floor, schema: schema.records)
    }

    /// This state in log format, with its applied vector as the floor.
    package func baseline() -> Baseline {
        var objects: [Baseline.Object] = []
        self.objects.visit { id, record in
            let object = Baseline.Object(id, record, length: length(of: id, record), isCovered: covers(id))
            if let object { objects.append(object) }
        }
        objects.sort { $0.id < $1.id }
        let frame = frame
        return Baseline(floor: frame.floor, schema: frame.schema, objects: objects)
    }
}

extension Baseline {
    /// Branch name to the last sequence that the baseline stands for.
    package var vector: [ReplicaID: UInt64] {
        Dictionary(uniqueKeysWithValues: floor.map { ($0.name, $0.sequence) })
    }

    /// The baseline that stands for all that either stands for.
    package func joined(with other: Baseline) -> Baseline {
        var state = FoldState(self)
        state.apply(baseline: other)
        return state.baseline()
    }
}

extension Register {
    fileprivate init(_ held: Baseline.Register) {
        self.init(stamp: held.stamp, isExplicit: held.isExplicit, value: held.value)
    }
}

extension ObjectRecord {
    /// `gained`: the origins of which the baseline covers more; their sums are its.
    mutating func join(_ object: Baseline.Object, sumsOf gained: Set<ReplicaID>) {
        if let entity = object.entity {
            if !object.length.isMultiple(of: 2) {
                arrive(WireName(entity), created: object.created, length: object.length)
            } else {
                mention(WireName(entity))
            }
        }
        raise(to: object.length)
        for held in object.registers {
            write(under: held.length) { $0.write(held.property, Register(held)) }
        }
        for held in object.sums {
            write(under: held.length) { epoch in
                if gained.contains(held.origin) || epoch.counters[held.property]?[held.origin] == nil {
                    epoch.counters[held.property, default: [:]][held.origin] = held.sum
                }
            }
        }
        for held in object.edges {
            write(under: held.ownerLength) { $0.edge(held.property, to: held.target, length: held.length) }
        }
    }
}

extension Baseline.Object {
    /// Nil when the floor alone says it all: the object's creation is covered, it was deleted once, and nothing waits for it.
    init?(_ id: ObjectID, _ record: ObjectRecord, length: UInt32, isCovered: Bool) {
        self.init(id: id, entity: record.entity?.text, created: record.created, length: length)
        for (epochLength, epoch) in record.epochs where epochLength >= length {
            for (property, register) in epoch.registers {
                registers.append(
                    Baseline.Register(
                        property: property, length: epochLength, isExplicit: register.isExplicit, stamp: register.stamp,
                        value: register.value))
            }
            for (property, sums) in epoch.counters {
                for (origin, sum) in sums {
                    self.sums.append(
                        Baseline.CounterSum(property: property, length: epochLength, origin: origin, sum: sum))
                }
            }
            for (property, targets) in epoch.edges {
                for (target, edgeLength) in targets {
                    edges.append(
                        Baseline.Edge(property: property, target: target, ownerLength: epochLength, length: edgeLength))
                }
            }
        }
        if isCovered, length == 2, registers.isEmpty, sums.isEmpty, edges.isEmpty { return nil }
        registers.sort { ($0.property, $0.length) < ($1.property, $1.length) }
        sums.sort { ($0.property, $0.length, $0.origin) < ($1.property, $1.length, $1.origin) }
        edges.sort { ($0.property, $0.target, $0.ownerLength) < ($1.property, $1.target, $1.ownerLength) }
    }
}
