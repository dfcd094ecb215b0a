import EventLog

// Everything that makes a record or an epoch from its parts, so that their inner layout is known in one place.
extension ObjectRecord {
    /// A record from what another one told of itself.
    init(entity: WireName?, created: Timestamp, length: UInt32, epochs: [(length: UInt32, epoch: Epoch)]) {
        if let entity, !length.isMultiple(of: 2) {
            self.init()
            arrive(entity, created: created, length: length)
        } else {
            self.init(length: length)
            if let entity { mention(entity) }
        }
        for part in epochs {
            write(under: part.length) { $0 = part.epoch }
        }
    }
}

extension Epoch {
    /// An epoch from its parts, each property once.
    init(
        registers: [(property: Property, register: Register)],
        counters: [(property: Property, sums: [(origin: ReplicaID, sum: Int64)])] = [],
        edges: [(property: Property, targets: [(target: ObjectID, length: UInt32)])] = []
    ) {
        self.init()
        self.registers.reserveCapacity(registers.count)
        for part in registers { self.registers[part.property] = part.register }
        for part in counters {
            self.counters[part.property] = Dictionary(part.sums.map { ($0.origin, $0.sum) }) { $1 }
        }
        for part in edges {
            self.edges[part.property] = Dictionary(part.targets.map { ($0.target, $0.length) }) { $1 }
        }
    }

    /// Whether it has nothing but registers.
    var isPlain: Bool { counters.isEmpty && edges.isEmpty }
}
