package import EventLog

/// Records in memory: one, or rows of one transaction's inserts that follow each other.
package enum RecordStretch: Sendable {
    case rows(InsertedRows, Range<Int>)
    case single(ObjectID, HeldRecord)

    var section: RunSection {
        switch self {
        case .rows(let rows, _): RunSection(entity: rows.entity)
        case .single(_, let held): RunSection(of: held)
        }
    }

    var first: ObjectID {
        switch self {
        case .rows(let rows, let range): rows.id(range.lowerBound)
        case .single(let id, _): id
        }
    }

    private var last: ObjectID {
        switch self {
        case .rows(let rows, let range): rows.id(range.upperBound - 1)
        case .single(let id, _): id
        }
    }

    /// The same records in the order of (section, id), taken apart where stretches lie within each other.
    static func sorted(_ stretches: [RecordStretch]) -> [RecordStretch] {
        let sorted = inOrder(stretches)
        let isApart = sorted.indices.dropFirst().allSatisfy {
            sorted[$0].first > sorted[$0 - 1].last || sorted[$0].section != sorted[$0 - 1].section
        }
        if isApart { return sorted }
        return inOrder(
            stretches.flatMap { stretch in
                guard case .rows(let rows, let range) = stretch else { return [stretch] }
                return range.map { .single(rows.id($0), .row(rows, $0)) }
            })
    }

    private static func inOrder(_ stretches: [RecordStretch]) -> [RecordStretch] {
        let places = stretches.map { (section: $0.section, first: $0.first) }
        let order = stretches.indices.sorted { a, b in
            places[a].section != places[b].section ? places[a].section < places[b].section : places[a].first < places[b].first
        }
        return order.map { stretches[$0] }
    }
}

extension [RecordStretch] {
    /// Adds a record, to the last stretch if it follows there.
    mutating func append(_ id: ObjectID, _ held: HeldRecord) {
        guard case .row(let rows, let row) = held else { return append(.single(id, held)) }
        if case .rows(let open, let range)? = last, open === rows, range.upperBound == row {
            self[count - 1] = .rows(rows, range.lowerBound..<row + 1)
        } else {
            append(.rows(rows, row..<row + 1))
        }
    }
}
