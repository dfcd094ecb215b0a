import EventLog
import Projection

/// Follows a relationship that is kept at its other end, or in edges, from many objects at once.
struct RelatedObjects {
    /// So many objects at the other end are looked through in the time that one is found in by its term.
    private static let rowsPerLookup = 16

    private let reader: StateReader
    private let entity: String
    private let field: FieldDeclaration

    init(_ reader: StateReader, _ entity: String, _ field: FieldDeclaration) {
        self.reader = reader
        self.entity = entity
        self.field = field
    }

    /// The visible objects at the other end, ascending, of objects that were found in blocks, by their places.
    ///
    /// - Parameter ids: of all that was found.
    /// - Throws: what reading a block throws.
    func targets(of picks: [BlockPick], ids: [ObjectID]) throws -> [(place: Int, targets: [ObjectID])] {
        let places = picks.flatMap { pick -> [Int] in
            // Edges are in no column: an object of a block without whole records has none.
            field.relationship?.storage == .edges && !pick.block.hasWholeRecords ? [] : Array(pick.places)
        }
        if let found = try scanned(from: places, ids) { return found }
        return places.map { ($0, reader.state.related(to: ids[$0], through: field)) }
    }

    /// Goes through all objects that may refer to these ones; nil where looking each up is quicker.
    private func scanned(from places: [Int], _ ids: [ObjectID]) throws -> [(place: Int, targets: [ObjectID])]? {
        guard let relationship = field.relationship, relationship.storage == .inverse,
            let back = reader.state.schema.inverse(of: field, in: WireName(entity))?.property
        else { return nil }
        let source = reader.scan(of: relationship.target)
        let rows = source.blocks.reduce(source.rows.count) { $0 + $1.count }
        guard places.count * Self.rowsPerLookup >= rows else { return nil }
        var slots: [ObjectID: Int] = [:]
        slots.reserveCapacity(places.count)
        for (slot, place) in places.enumerated() { slots[ids[place]] = slot }
        var targets = [[ObjectID]](repeating: [], count: places.count)
        for block in source.blocks {
            guard let column = try block.column(back) else { continue }
            var referrers: [ObjectID]?
            try RowSelection(allOf: block.count, except: block.excluded).eachRow { row in
                guard case .reference(let target)? = column.value(row), let slot = slots[target] else { return }
                let ids = try referrers ?? block.ids()
                referrers = ids
                targets[slot].append(ids[row])
            }
        }
        for row in source.rows {
            if case .reference(let target)? = row.stored(back), let slot = slots[target] { targets[slot].append(row.id) }
        }
        return zip(places, targets).map { ($0, $1.count < 2 ? $1 : $1.sorted()) }
    }
}
