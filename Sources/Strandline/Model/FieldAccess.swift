/// How the values of a field are reached in rows of its entity.
enum FieldAccess: Sendable {
    /// Plain properties, counters and to-one references.
    case column(ColumnAccess)
    /// Blobs. Nil stands for null; a property that is not optional keeps its default then.
    case blob(Accessor<Blob?>, isOptional: Bool)
    /// To-many relationships, ascending.
    case toMany(Accessor<[ObjectID]>)

    /// The type of the field's column.
    var type: ValueType {
        switch self {
        case .column(let column): column.type
        case .blob: .blob
        case .toMany: .edges
        }
    }

    /// Whether null can be stored.
    var isOptional: Bool {
        switch self {
        case .column(let column): column.isOptional
        case .blob(_, let isOptional): isOptional
        case .toMany: false
        }
    }
}

/// A property of a row, as another type than the one it is stored with.
struct Accessor<Value>: Sendable {
    let get: @Sendable (borrowing RawRows, _ row: Int) -> Value
    let set: @Sendable (borrowing RawRows, _ row: Int, Value) -> Void
}
