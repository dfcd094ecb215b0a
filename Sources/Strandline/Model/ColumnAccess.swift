import EventLog
import Projection

/// How a property moves between rows of an entity and stored values.
///
/// Not generic, so that the loops over columns know nothing of the entity: one call per column and block of rows, or per
/// value for single rows. A class, for it is passed around for every value.
final class ColumnAccess: Sendable {
    let type: ValueType
    let isOptional: Bool
    /// Assigns stretches of a block to the rows that they go to.
    ///
    /// Absent and unknown values leave the row's default.
    let decode: @Sendable (ColumnBlock, borrowing RawRows, [RowStretch]) -> Void
    /// The block of `count` rows from `first` on.
    let encode: @Sendable (borrowing RawRows, _ first: Int, _ count: Int) throws -> ColumnBlock
    /// Calls with the number of each row that differs, by what would be stored.
    let differ: @Sendable (borrowing RawRows, borrowing RawRows, (Int) -> Void) -> Void
    /// Assigns one value; one that is not of the type leaves the row's default.
    let decodeValue: @Sendable (Value, borrowing RawRows, _ row: Int) -> Void
    /// The value of one row.
    let encodeValue: @Sendable (borrowing RawRows, _ row: Int) throws -> Value
    /// Adds the value of one row to a column; nil where a value may be one that cannot be encoded.
    let append: (@Sendable (borrowing RawRows, _ row: Int, inout ColumnBuffer) -> Void)?

    /// The access to a property of a storable type: by blocks where the type can, else through values.
    static func to<V: Storable>(_ property: StoredProperty<V>) -> ColumnAccess {
        if let type = V.self as? any BlockStorable.Type { return byBlocks(type, property) }
        return ColumnAccess(
            type: V.valueType, isOptional: V.isOptional, property, encode: { $0.storedValue },
            decode: { V(storedValue: $0) })
    }

    /// The access to a property through values.
    init<V: Sendable>(
        type: ValueType, isOptional: Bool, _ property: StoredProperty<V>, encode: @escaping @Sendable (V) throws -> Value,
        decode: @escaping @Sendable (Value) -> V?
    ) {
        self.type = type
        self.isOptional = isOptional
        self.decode = { block, rows, stretches in
            property.set(rows, stretches) { block.value($0).flatMap(decode) }
        }
        self.encode = { rows, first, count in
            var values: [Value?] = []
            values.reserveCapacity(count)
            for row in first..<(first + count) { values.append(try encode(property.get(rows, row))) }
            return ColumnBlock(type: type, values)
        }
        // A value that cannot be encoded counts as different, so that encoding it next says why.
        differ = { old, new, body in
            property.forEachDifferent(
                old, new,
                isSame: { a, b in
                    guard let a = try? encode(a), let b = try? encode(b) else { return false }
                    return a == b
                }, body)
        }
        decodeValue = { value, rows, row in
            if let value = decode(value) { property.set(rows, row, value) }
        }
        encodeValue = { rows, row in try encode(property.get(rows, row)) }
        append = nil
    }

    private init<V: BlockStorable>(blocks property: StoredProperty<V>) {
        type = V.valueType
        isOptional = V.isOptional
        decode = { block, rows, stretches in property.set(rows, stretches, V.reader(block)) }
        encode = { rows, first, count in
            V.block(count) { property.get(rows, first + $0) }
        }
        differ = { old, new, body in
            property.forEachDifferent(old, new, isSame: { $0.storedValue == $1.storedValue }, body)
        }
        decodeValue = { value, rows, row in
            if let value = V(storedValue: value) { property.set(rows, row, value) }
        }
        encodeValue = { rows, row in property.get(rows, row).storedValue }
        append = { rows, row, column in property.get(rows, row).append(to: &column) }
    }

    private static func byBlocks<B: BlockStorable, V: Storable>(_: B.Type, _ property: StoredProperty<V>) -> ColumnAccess {
        guard let property = property as? StoredProperty<B> else { preconditionFailure("\(B.self) is \(V.self)") }
        return ColumnAccess(blocks: property)
    }
}
