// Invariants
// * `state` changes only under the lock that owns the box, or never, for a snapshot's.
// * Readers borrow the box within that lock and let nothing that refers to it out.

import EventLog
import Projection

/// A state by reference, so that rows can look into it without copying it.
final class StateBox {
    var state: FoldState
    /// Where the objects' blobs are read from.
    let blobs: any BlobSource

    init(_ state: FoldState, blobs: any BlobSource) {
        self.state = state
        self.blobs = blobs
    }
}

/// An object of a state, as filters and sort orders see it.
struct StateRow: RowReader {
    let box: StateBox
    let id: ObjectID
    /// Those that are one object with it by their key, itself included.
    let members: [ObjectID]
    let entity: WireName
    /// When it is one object of its own.
    private let record: ObjectRecord?

    /// Nil when the object is not visible.
    init?(_ id: ObjectID, in box: StateBox) {
        let members = box.state.members(of: id)
        guard let representative = box.state.representative(among: members), let record = box.state.objects[representative],
            let entity = record.entity
        else { return nil }
        self.box = box
        self.id = representative
        self.members = members
        self.entity = entity
        self.record = members.count == 1 ? record : nil
    }

    func value(of property: Property) -> Value { stored(property) ?? .null }

    /// What a register or counter reads as, references resolved; nil when it was never set.
    func stored(_ property: Property) -> Value? {
        let value = record.map { $0.value(of: property) } ?? box.state.value(of: property, among: members)
        guard case .reference(let target)? = value else { return value }
        switch box.state.read(target, through: property, of: entity, by: members) {
        case .object(let object), .dangling(let object), .notHereYet(let object): return .reference(object)
        case .null: return .null
        }
    }

    func related(by name: String) -> [StateRow] {
        let fields = box.state.schema.fields(of: entity)
        guard let field = fields.first(where: { $0.relationship != nil && $0.property.name.utf8.elementsEqual(name.utf8) })
        else { return [] }
        return related(through: field).compactMap { StateRow($0, in: box) }
    }

    func related(through field: FieldDeclaration) -> [ObjectID] { box.state.related(to: id, through: field) }
}
