import EventLog
import Projection

/// How objects of one type become rows of gathered inserts, without a value for each property.
final class GatheredRows {
    /// The type.
    let root: ObjectIdentifier
    private let columns: [@Sendable (borrowing RawRows, Int, inout ColumnBuffer) -> Void]

    /// Nil where the type has other properties than the inserts have columns.
    init?<Root: Entity>(_ codec: TypedCodec<Root>, _ inserts: OpenInserts) {
        root = ObjectIdentifier(Root.self)
        var columns: [@Sendable (borrowing RawRows, Int, inout ColumnBuffer) -> Void] = []
        for column in codec.columns {
            guard case .column(let access) = column.access, column.isRegister, let append = access.append else { return nil }
            columns.append(append)
        }
        self.columns = columns
        guard inserts.isLike(WireName(codec.declaration.name), codec.columns.map(\.property)) else { return nil }
    }

    /// Adds an object's values to the columns.
    func append<Root>(_ object: Root, to buffers: inout [ColumnBuffer]) {
        withRawRow(reading: object) { row in
            for place in columns.indices { columns[place](row, 0, &buffers[place]) }
        }
    }
}
