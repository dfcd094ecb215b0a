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
    /// Places of objects that are related to none may be left out.
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
        // Of few objects those alone are looked for; of many, most of those that are referred to are among them.
        let wanted = places.count < rows ? Set(places.map { ids[$0] }) : nil
        var referrers: [ObjectID: [ObjectID]] = [:]
        for block in source.blocks {
            guard let column = try block.column(back) else { continue }
            let objects = try block.ids()
            RowSelection(allOf: block.count, except: block.excluded).eachRow { row in
                guard case .reference(let target)? = column.value(row), wanted?.contains(target) ?? true else { return }
                referrers[target, default: []].append(objects[row])
            }
        }
        for row in source.rows {
            guard case .reference(let target)? = row.stored(back), wanted?.contains(target) ?? true else { continue }
            referrers[target, default: []].append(row.id)
        }
        if referrers.isEmpty { return [] }
        return places.compactMap { place in referrers[ids[place]].map { (place, $0.count < 2 ? $0 : $0.sorted()) } }
    }
}
