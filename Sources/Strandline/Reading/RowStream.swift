import EventLog
package import Projection

/// The objects that a request selects in a snapshot, read one by one: memory holds their ids, and the values of one.
package struct RowStream {
    private let snapshot: Snapshot
    private let ids: [ObjectID]

    fileprivate init(_ snapshot: Snapshot, _ ids: [ObjectID]) {
        self.snapshot = snapshot
        self.ids = ids
    }

    /// How many there are.
    package var count: Int { ids.count }

    /// Reads them in order.
    ///
    /// - Throws: what `body` throws; `busy` when one of them could not be read.
    package func forEachRow(_ body: (Row) throws -> Void) throws {
        for id in ids {
            if let row = try snapshot.row(id) { try body(row) }
        }
    }
}

extension Snapshot {
    /// The objects of an entity that a filter holds for, to be read one by one.
    package func stream(of entity: String, where filter: Filter, sortedBy sort: [SortKey]) throws -> RowStream {
        let request = FetchDescription(entity: entity, filter: filter, sort: sort)
        return RowStream(self, try answer { try $0.ids(request) })
    }
}
