import EventLog
import Storage

/// What inserted objects are found by, row by row: as ``FoldTerms`` of each insert has it, without making one.
struct RowTerms {
    /// What the terms of a row are.
    private enum Kind {
        case none
        /// The unique key alone, in columns of which there is one for each part.
        case key([ChangeGroup.Column])
        /// Whatever the insert says.
        case any
    }

    private let rows: InsertedRows
    private let schema: SchemaState
    private let kind: Kind
    /// The bytes of a key, as far as they are the same for all rows.
    private var bytes = DigestBytes()
    private let prefix: Int

    init(_ rows: InsertedRows, _ schema: SchemaState) {
        self.rows = rows
        self.schema = schema
        kind = Self.kind(rows, schema)
        FoldTerms.begin(&bytes, rows.entity)
        prefix = bytes.count
    }

    private static func kind(_ rows: InsertedRows, _ schema: SchemaState) -> Kind {
        if rows.hasReferences { return .any }
        let names = schema.key(of: rows.entity)
        guard !names.isEmpty else { return .none }
        var columns: [ChangeGroup.Column] = []
        for name in names {
            let named = rows.columns.filter { $0.property.name.hasBytes(of: name) }
            if named.isEmpty { return .none }
            guard named.count == 1 else { return .any }
            columns.append(named[0])
        }
        return .key(columns)
    }

    /// Whether a row has at most one term, that of its key.
    var areKeysAlone: Bool { if case .any = kind { false } else { true } }

    /// The hash of the unique key of a row; nil when a part of it is null.
    ///
    /// Only where ``areKeysAlone``.
    mutating func keyHash(_ row: Int) -> UInt64? {
        guard case .key(let columns) = kind else { return nil }
        bytes.truncate(to: prefix)
        for place in columns.indices {
            guard columns[place].values.presence[row] else { return nil }
            bytes.add(columns[place].property)
            bytes.add(columns[place].values, row)
        }
        return bytes.digest.low
    }

    /// Calls with each term of a row.
    mutating func forEach(_ row: Int, _ body: (UInt64) -> Void) {
        switch kind {
        case .none: break
        case .key: if let hash = keyHash(row) { body(hash) }
        case .any: for hash in FoldTerms(of: rows.insertion(row), schema).hashes { body(hash) }
        }
    }
}

extension DigestBytes {
    /// A value of a column, as ``add(_:)-(Value)`` adds it.
    fileprivate mutating func add(_ column: DecodedColumn, _ row: Int) {
        switch column.values {
        case .strings(let texts):
            add(ValueType.string.rawValue)
            let range = texts[row]
            addVarint(range.count)
            add(texts.bytes.span.extracting(range))
        default: add(column.value(at: row))
        }
    }
}
