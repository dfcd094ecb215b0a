/// What a mass update sets in one property of its objects, and what the writer saw there: a row for each object, in their order.
package struct UpdatedColumn: Sendable {
    /// So many of them at most make up an update.
    package static let most = 64

    var new: ColumnBuffer
    var old: ColumnBuffer
    var overwrote = StampBuffer()

    package init(_ property: Property) {
        new = ColumnBuffer(property)
        old = new
    }

    package var property: Property { new.property }

    /// Adds a row; `old` and `overwrote` are nil together, where the property was absent.
    package mutating func append(_ value: Value, old seen: Value?, overwrote stamp: Stamp?) {
        precondition((seen == nil) == (stamp == nil), "an old value and the stamp of its write come together")
        new.append(value)
        old.append(seen ?? .null)
        overwrote.append(stamp)
    }
}
