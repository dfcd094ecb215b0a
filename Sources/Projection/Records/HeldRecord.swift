import EventLog

// Invariants
// * Of an object that is held as its insert, no older level has a record: the insert was the first that was heard of it.

/// A record in memory: in short, as the object's insert, while nothing else was written to it.
package enum HeldRecord: Sendable {
    case inserted(Insertion)
    case whole(ObjectRecord)

    package var record: ObjectRecord {
        switch self {
        case .inserted(let insertion): insertion.record
        case .whole(let record): record
        }
    }

    package var isAlive: Bool {
        switch self {
        case .inserted: true
        case .whole(let record): record.isAlive
        }
    }

    package var entity: WireName? {
        switch self {
        case .inserted(let insertion): insertion.entity
        case .whole(let record): record.entity
        }
    }

    package func uniqueKey(by schema: SchemaState) -> UniqueKey? {
        switch self {
        case .inserted(let insertion): insertion.uniqueKey(by: schema)
        case .whole(let record): record.uniqueKey(by: schema)
        }
    }

    /// About how much memory it takes.
    var bytes: Int {
        switch self {
        case .inserted(let insertion): insertion.bytes
        case .whole(let record): record.bytes
        }
    }

    /// What the object is found by under a schema.
    package func terms(_ schema: SchemaState) -> FoldTerms {
        switch self {
        case .inserted(let insertion): FoldTerms(of: insertion, schema)
        case .whole(let record): FoldTerms(of: record, schema)
        }
    }
}
