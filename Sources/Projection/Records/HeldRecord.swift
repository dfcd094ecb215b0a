import EventLog

// Invariants
// * Of an object that is held as its insert, no older level has a record: the insert was the first that was heard of it.

/// A record in memory: in short, as the object's insert, while nothing else was written to it.
package enum HeldRecord: Sendable {
    case inserted(Insertion)
    /// A row of many inserts.
    case row(InsertedRows, Int)
    case whole(ObjectRecord)

    package var record: ObjectRecord {
        switch self {
        case .inserted(let insertion): insertion.record
        case .row(let rows, let row): rows.insertion(row).record
        case .whole(let record): record
        }
    }

    package var isAlive: Bool {
        switch self {
        case .inserted, .row: true
        case .whole(let record): record.isAlive
        }
    }

    /// Whether no older level has a record of the object.
    var isFirst: Bool {
        switch self {
        case .inserted, .row: true
        case .whole: false
        }
    }

    package var entity: WireName? {
        switch self {
        case .inserted(let insertion): insertion.entity
        case .row(let rows, _): rows.entity
        case .whole(let record): record.entity
        }
    }

    package func uniqueKey(by schema: SchemaState) -> UniqueKey? {
        switch self {
        case .inserted(let insertion): insertion.uniqueKey(by: schema)
        case .row(let rows, let row): rows.insertion(row).uniqueKey(by: schema)
        case .whole(let record): record.uniqueKey(by: schema)
        }
    }

    /// About how much memory it takes.
    var bytes: Int {
        switch self {
        case .inserted(let insertion): insertion.bytes
        // With the version.
        case .row(let rows, _): rows.bytesPerRow + 112
        case .whole(let record): record.bytes
        }
    }

    /// What the object is found by under a schema.
    package func terms(_ schema: SchemaState) -> FoldTerms {
        switch self {
        case .inserted(let insertion): FoldTerms(of: insertion, schema)
        case .row(let rows, let row): FoldTerms(of: rows.insertion(row), schema)
        case .whole(let record): FoldTerms(of: record, schema)
        }
    }
}
