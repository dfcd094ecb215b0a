import EventLog
package import Projection

/// The objects that a request selects in a snapshot, read one by one: memory holds their ids, and the values of one.
package struct RowStream {
    private let state: FoldState
    private let ids: [ObjectID]

    fileprivate init(_ state: FoldState, _ ids: [ObjectID]) {
        self.state = state
        self.ids = ids
    }

    /// How many there are.
    package var count: Int { ids.count }

    /// Reads them in order.
    ///
    /// - Throws: what `body` throws; `storage` or `corrupt` when one of them could not be read.
    package func forEachRow(_ body: (Row) throws -> Void) throws {
        for id in ids {
            let row = state.row(id)
            if let failure = state.objects.base?.failure { throw StoreError(LogError(failure)) }
            if let row { try body(row) }
        }
    }
}

extension Snapshot {
    /// The objects of an entity that a filter holds for, to be read one by one.
    package func stream(of entity: String, where filter: Filter, sortedBy sort: [SortKey]) throws -> RowStream {
        let reader = reader
        return RowStream(reader.state, try reader.ids(FetchDescription(entity: entity, filter: filter, sort: sort)))
    }
}
