import EventLog
import Projection

/// An object of a state, as filters and sort orders see it.
struct StateRow: RowReader {
    /// Where its values are read from.
    private enum Content {
        /// Columns of a run, which say all of it but its edges.
        case columns(RunRow)
        /// When it is one object of its own.
        case record(ObjectRecord)
        /// Those that are one object by their key.
        case group([ObjectID], [ObjectRecord])
    }

    let box: StateBox
    let id: ObjectID
    let entity: WireName
    private let content: Content
    /// Whether its references lead where they say.
    private let isRegular: Bool

    /// Nil when the object is not visible.
    ///
    /// - Parameter likely: what the object most likely is.
    init?(_ id: ObjectID, in box: StateBox, likely: WireName? = nil) {
        self.box = box
        if let row = box.runRow(of: id, likely: likely) {
            guard let entity = row.entity else { return nil }
            self.id = id
            self.entity = entity
            content = .columns(row)
            isRegular = true
            return
        }
        let members = box.state.members(of: id)
        guard let representative = box.state.representative(among: members), let record = box.state.objects[representative],
            let entity = record.entity
        else { return nil }
        self.id = representative
        self.entity = entity
        content = members.count == 1 ? .record(record) : .group(members, box.state.records(of: members))
        isRegular = box.state.isRegular(representative)
    }

    /// Those that are one object with it by their key, itself included.
    var members: [ObjectID] { if case .group(let members, _) = content { members } else { [id] } }

    func value(of property: Property) -> Value { stored(property) ?? .null }

    /// What a register or counter reads as, references resolved; nil when it was never set.
    func stored(_ property: Property) -> Value? {
        let value: Value? =
            switch content {
            case .columns(let row): row.value(property)
            case .record(let record): record.value(of: property)
            case .group(_, let records): box.state.value(of: property, in: records)
            }
        guard !isRegular, case .reference(let target)? = value else { return value }
        switch box.state.read(target, through: property, of: entity, by: members) {
        case .object(let object), .dangling(let object), .notHereYet(let object): return .reference(object)
        case .null: return .null
        }
    }

    func related(by name: String) -> [StateRow] {
        let fields = box.state.schema.fields(of: entity)
        guard let field = fields.first(where: { $0.relationship != nil && $0.property.name.utf8.elementsEqual(name.utf8) })
        else { return [] }
        let target = field.relationship.map { WireName($0.target) }
        return related(through: field).compactMap { StateRow($0, in: box, likely: target) }
    }

    /// The ids of the objects at the other end of a field, ascending.
    func related(through field: FieldDeclaration) -> [ObjectID] {
        if isRegular, field.relationship?.storage == .register {
            if case .reference(let target)? = stored(field.property) { return [target] }
            return []
        }
        return box.state.related(to: id, through: field)
    }
}
