import EventLog
package import Projection

/// The objects that a request selects in a snapshot, read page by page: memory holds where they are, and the values of a page.
package struct RowStream {
    /// In an order that leads back and forth each page reads most blocks; so pages are large, and still small beside what they are of.
    private static let page = 1 << 14

    private let snapshot: Snapshot
    private let found: FoundObjects
    private let entity: String
    private let properties: [String]?

    fileprivate init(_ snapshot: Snapshot, _ found: FoundObjects, _ entity: String, _ properties: [String]?) {
        self.snapshot = snapshot
        self.found = found
        self.entity = entity
        self.properties = properties
    }

    /// How many there are.
    package var count: Int { found.ids.count }

    /// Reads them in order.
    ///
    /// - Throws: what `body` throws; `busy` when one of them could not be read.
    package func forEachRow(_ body: (Row) throws -> Void) throws {
        for start in stride(from: 0, to: count, by: Self.page) {
            let page = found[start..<min(start + Self.page, count)]
            let rows = try snapshot.answer(
                { reader in try reader.noting { try page.plainRows(of: entity, properties) } },
                again: { reader in page.ids.compactMap { reader.state.row($0)?.narrowed(to: properties) } })
            for row in rows { try body(row) }
        }
    }
}

extension Row {
    /// The row with some of its properties; nil for all.
    fileprivate func narrowed(to names: [String]?) -> Row {
        guard let names else { return self }
        return Row(id: id, entity: entity, fields: fields.filter { names.contains($0.property.name) })
    }
}

extension Snapshot {
    /// The objects of an entity that a filter holds for, to be read page by page.
    ///
    /// - Parameter properties: the wire names of what to read; nil for everything.
    package func stream(
        of entity: String, where filter: Filter, sortedBy sort: [SortKey], properties: [String]? = nil
    ) throws -> RowStream {
        let request = FetchDescription(entity: entity, filter: filter, sort: sort)
        return RowStream(self, try answer { try $0.find(request) }, entity, properties)
    }
}
