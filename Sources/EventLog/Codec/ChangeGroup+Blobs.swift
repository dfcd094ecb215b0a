extension ChangeGroup {
    /// The blobs among the values it writes; those it only saw were written by an earlier one.
    func appendBlobs(to found: inout [BlobReference]) {
        switch self {
        case .insert(let group): for column in group.columns { column.values.appendBlobs(to: &found) }
        case .update(let group): for column in group.columns { column.new.appendBlobs(to: &found) }
        case .restore(let group): for column in group.columns { column.values.appendBlobs(to: &found) }
        case .delete, .edge, .increment, .schema, .rename, .undo, .unknown: break
        }
    }

    /// The blobs among all values that it holds, those it overwrote and took away included.
    func appendNamedBlobs(to found: inout [BlobReference]) {
        appendBlobs(to: &found)
        switch self {
        case .update(let group): for column in group.columns { column.old.appendBlobs(to: &found) }
        case .delete(let group): for column in group.columns { column.values.appendBlobs(to: &found) }
        case .insert, .restore, .edge, .increment, .schema, .rename, .undo, .unknown: break
        }
    }
}

extension DecodedColumn {
    fileprivate func appendBlobs(to found: inout [BlobReference]) {
        guard case .blobs(let values) = values else { return }
        for case let value? in values { found.append(value) }
    }
}
