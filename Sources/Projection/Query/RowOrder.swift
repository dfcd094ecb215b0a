package import EventLog

/// A sort order that fits an entity.
package struct RowOrder: Sendable {
    struct Criterion {
        let path: BoundPath
        let ascending: Bool
        let folding: TextFolding
    }

    /// A row's place in the order.
    struct Position {
        fileprivate let values: [Value]
        fileprivate let id: ObjectID
    }

    let criteria: [Criterion]

    /// - Throws: ``PredicateError`` for an unknown property, or one with many values.
    package init(_ keys: [SortKey], in shape: EntityShape) throws(PredicateError) {
        criteria = try keys.map { (key) throws(PredicateError) in
            Criterion(path: try key.bound(to: shape), ascending: key.ascending, folding: TextFolding(options: key.options))
        }
    }

    /// Whether it is the order of ids alone.
    package var isByID: Bool { criteria.isEmpty }

    /// The columns of the row itself that it reads.
    package var columns: Set<Property> { Set(criteria.compactMap(\.path.ownColumn)) }

    /// All rows in order.
    package func sorted<Row: RowReader>(_ rows: some Sequence<Row>) -> [Row] {
        rows.map { (position(of: $0), $0) }.sorted { precedes($0.0, $1.0) }.map(\.1)
    }

    /// The first rows in order, which never holds more than `count` of them in memory: O(n log count).
    package func first<Row: RowReader>(_ count: Int, of rows: some Sequence<Row>) -> [Row] {
        var kept = BoundedHeap<(Position, Row)>(capacity: count) { precedes($0.0, $1.0) }
        for row in rows { kept.insert((position(of: row), row)) }
        return kept.sorted().map(\.1)
    }

    private func position<Row: RowReader>(of row: Row) -> Position {
        Position(values: criteria.map { $0.folding.fold(row.value(at: $0.path)) }, id: row.id)
    }

    private func precedes(_ a: Position, _ b: Position) -> Bool {
        for (index, criterion) in criteria.enumerated() {
            let order = ValueOrder.sort(a.values[index], b.values[index])
            if order != 0 { return criterion.ascending ? order < 0 : order > 0 }
        }
        return a.id < b.id
    }
}
