package import EventLog

// Invariants
// * `values` has each property once, as the log's inserts do.

/// What an insert says of an object: all there is to its record while nothing else has been written to the object.
package struct Insertion: Sendable {
    package let entity: WireName
    package let stamp: Stamp
    package let values: [PropertyValue]

    package init(entity: WireName, stamp: Stamp, values: [PropertyValue]) {
        self.entity = entity
        self.stamp = stamp
        self.values = values
    }

    /// The record that the insert makes.
    package var record: ObjectRecord {
        var record = ObjectRecord()
        join(into: &record)
        return record
    }

    /// Adds it to what has arrived of the object before.
    func join(into record: inout ObjectRecord) {
        record.arrive(entity, created: stamp.timestamp, length: 1)
        record.write(under: 1) { $0.write(values, stamp: stamp) }
    }

    /// About how much memory it takes.
    var bytes: Int {
        var sum = 128 + values.count * MemoryLayout<PropertyValue>.stride
        // By span: a loop over the array would copy each value.
        let span = values.span
        for place in span.indices { sum += span[place].value.heapBytes }
        return sum
    }
}
