package import EventLog
package import Projection
import Storage

/// Chooses records by a predicate: `message CONTAINS[cd] 'peer' AND category == 'sync'`.
package struct RecordFilter {
    /// A record as a filter sees it.
    private struct Row: RowReader {
        let values: [String: Value]

        /// No filter over records can ask for it, since they have no `SELF`.
        var id: ObjectID { ObjectID(replica: ReplicaID(.zero), sequence: 0, index: 0) }

        func value(of property: Property) -> Value { values[property.name] ?? .null }
        func related(by name: String) -> [Row] { [] }
    }

    /// The members that all records have, or that those have that are of a beginning or an end.
    package static let common: [(name: String, type: ValueType)] = [
        ("time", .date), ("level", .string), ("category", .string), ("kind", .string), ("phase", .string), ("span", .int),
        ("opening", .string), ("message", .string),
    ]

    private static let shape: EntityShape = {
        var fields: [WireName: EntityShape.Field] = [:]
        for (name, type) in common + RecordFieldName.allCases.map({ ($0.rawValue, $0.type) }) {
            fields[WireName(name)] = EntityShape.Field(types: [type])
        }
        return EntityShape(name: "a record", fields: fields)
    }()

    private let compiled: CompiledFilter

    /// - Throws: ``PredicateError`` for a name that no record has, or a comparison that does not fit.
    package init(_ filter: Filter) throws(PredicateError) {
        compiled = try CompiledFilter(try filter.bound(to: Self.shape))
    }

    /// - Parameter values: the members of a record by their names, of the types that they have here; numbers of durations as doubles.
    package func matches(_ values: [String: Value]) -> Bool { compiled.matches(Row(values: values)) }
}
