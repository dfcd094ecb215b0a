package import EventLog

/// Everything written to an object under one causal length.
package struct Epoch: Hashable, Sendable {
    package var registers = PropertyMap<Register>()
    /// What each origin added to a counter.
    package var counters = PropertyMap<[ReplicaID: Int64]>()
    /// The causal length of each edge that starts here.
    package var edges = PropertyMap<[ObjectID: UInt32]>()

    package init() {}

    package var isEmpty: Bool { registers.isEmpty && counters.isEmpty && edges.isEmpty }

    /// Among writes of one transaction, which bear one stamp, the later one holds.
    mutating func write(_ property: Property, _ register: Register) {
        registers.set(property, register) { $0.stamp > register.stamp }
    }

    mutating func increment(_ property: Property, by amount: Int64, origin: ReplicaID) {
        counters[property, default: [:]][origin, default: 0] &+= amount
    }

    mutating func edge(_ property: Property, to target: ObjectID, length: UInt32) {
        let held = edges[property]?[target] ?? 0
        edges[property, default: [:]][target] = max(held, length)
    }

    /// The targets of the edges that are there, whether visible or not.
    func targets(of property: Property) -> [ObjectID] {
        (edges[property] ?? [:]).filter { !$0.value.isMultiple(of: 2) }.map(\.key)
    }

    /// What the increments of a counter add up to; nil when there is none.
    func sum(of property: Property) -> Int64? {
        guard property.type == .counter, let sums = counters[property], !sums.isEmpty else { return nil }
        return sums.values.reduce(0, &+)
    }

    /// About how much memory it takes.
    var bytes: Int {
        var sum = 0
        // By place: a loop over the elements would copy each.
        for place in registers.indices {
            sum += MemoryLayout<PropertyMap<Register>.Element>.stride + registers[place].value.value.heapBytes
        }
        for place in counters.indices { sum += 64 + counters[place].value.count * 48 }
        for place in edges.indices { sum += 64 + edges[place].value.count * 64 }
        return sum
    }
}

extension Value {
    /// About how many bytes it takes outside of where it lies.
    var heapBytes: Int {
        switch self {
        case .string(let text): text.utf8.count < 16 ? 0 : text.utf8.count + 32
        case .data(let bytes): bytes.count + 32
        case .blob(let blob): (blob.inline?.count ?? 0) + 112
        default: 0
        }
    }

    /// What a register and the increments of a counter read as together; nil when there is neither.
    static func reading(_ register: Value?, adding sum: Int64?) -> Value? {
        guard let sum else { return register }
        if case .counter(let start)? = register { return .counter(start &+ sum) }
        return .counter(sum)
    }
}
