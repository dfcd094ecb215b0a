package import EventLog

/// Everything written to an object under one causal length.
package struct Epoch: Hashable, Sendable {
    package var registers: [Property: Register] = [:]
    /// What each origin added to a counter.
    package var counters: [Property: [ReplicaID: Int64]] = [:]
    /// The causal length of each edge that starts here.
    package var edges: [Property: [ObjectID: UInt32]] = [:]

    package init() {}

    /// Among writes of one transaction, which bear one stamp, the later one holds.
    mutating func write(_ property: Property, _ register: Register) {
        if let held = registers[property], held.stamp > register.stamp { return }
        registers[property] = register
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
}
