public import Storage

/// The value of a property, without its Swift type.
///
/// What history, untyped rows and the command line speak in.
public enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    /// Seconds since 2001-01-01T00:00:00Z, the reference date of Foundation's `Date`, so that a `Date` survives bit by bit.
    case date(Double)
    case uuid(Digest128)
    case data([UInt8])
    /// On the heap, being the largest of all and the rarest, so that the others are small.
    indirect case blob(BlobReference)
    /// Another object.
    case reference(ObjectID)
    /// The starting value of a counter; increments are changes of their own.
    case counter(Int64)

    /// The type a column must have to hold it; nil for null, which every column may hold.
    public var type: ValueType? {
        switch self {
        case .null: nil
        case .bool: .bool
        case .int: .int
        case .double: .double
        case .string: .string
        case .date: .date
        case .uuid: .uuid
        case .data: .data
        case .blob: .blob
        case .reference: .reference
        case .counter: .counter
        }
    }

    /// Equality and hashing go by bits: NaN equals itself, 0.0 differs from -0.0, and strings that differ only in
    /// normalisation differ.
    ///
    /// So "unchanged" means that the same bytes would be stored.
    public static func == (a: Value, b: Value) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): a.hasBytes(of: b)
        case (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
        case (.uuid(let a), .uuid(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.blob(let a), .blob(let b)): a.id == b.id
        case (.reference(let a), .reference(let b)): a == b
        case (.counter(let a), .counter(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .int(let value), .counter(let value): hasher.combine(value)
        case .double(let value), .date(let value): hasher.combine(value.bitPattern)
        case .string(let value):
            var copy = value
            copy.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .uuid(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .blob(let value): hasher.combine(value.id)
        case .reference(let value): hasher.combine(value)
        }
    }
}

/// The type of a column.
///
/// Its raw value is what is stored.
public enum ValueType: UInt8, Hashable, Sendable, CaseIterable {
    case bool = 1
    case int = 2
    case double = 3
    case string = 4
    case date = 5
    case uuid = 6
    case data = 7
    case blob = 8
    case reference = 9
    case counter = 10
    /// A set of edges to other objects; has no register.
    case edges = 11
}
