import Interchange
import Strandline

/// A change of the history, as commands show it: what kind, of which object, and which values.
struct ShownChange {
    private enum Values {
        case none
        /// Values as they were written, or as the writer of a delete saw them.
        case whole([(name: String, value: ShownValue)])
        /// Old and new values; the old one is nil where there was none.
        case replaced([(name: String, old: ShownValue?, new: ShownValue)])
        /// An object that came into a relationship, or left it.
        case edge(name: String, uri: String, isPresent: Bool)
        case increment(name: String, by: Int64, seen: Int64)
        case declaration(EntityDeclaration)
        case former(ReplicaID)
        case undone(ReplicaID, UInt64)
    }

    private let kind: String
    private let uri: String?
    private let entity: String?
    private let values: Values

    init(_ change: Change, in catalog: SchemaCatalog) {
        entity = change.entity
        uri = change.object.map { $0.uri(entity: change.entity ?? "") }
        switch change {
        case .insert(_, let entity, let values):
            kind = "insert"
            self.values = Self.whole(values, entity, catalog)
        case .delete(_, let entity, _, let seen):
            kind = "delete"
            values = Self.whole(seen, entity, catalog)
        case .restore(_, let entity, _, let values):
            kind = "restore"
            self.values = Self.whole(values, entity, catalog)
        case .update(_, let entity, _, let assignments):
            kind = "update"
            values = .replaced(
                assignments.map { assignment in
                    let shown = { (value: Value) in catalog.shown(value, of: assignment.property, in: entity) }
                    return (assignment.property.name, assignment.old.map(shown), shown(assignment.new))
                })
        case .edge(_, let entity, let property, let target, _, let length):
            kind = length % 2 == 1 ? "add" : "remove"
            values = .edge(
                name: property.name, uri: catalog.uri(target, through: property, of: entity), isPresent: length % 2 == 1)
        case .increment(_, _, _, let property, let amount, let seen):
            kind = "increment"
            values = .increment(name: property.name, by: amount, seen: seen)
        case .schema(let declaration):
            kind = "schema"
            values = .declaration(declaration)
        case .rename(let former):
            kind = "rename"
            values = .former(former)
        case .undo(let origin, let sequence):
            kind = "undo"
            values = .undone(origin, sequence)
        case .unknown(let number):
            kind = "unknown-\(number)"
            values = .none
        }
    }

    private static func whole(_ values: [PropertyValue], _ entity: String, _ catalog: SchemaCatalog) -> Values {
        .whole(values.map { ($0.property.name, catalog.shown($0.value, of: $0.property, in: entity)) })
    }

    /// A change per line, with its values below it.
    var lines: [String] {
        let title = [kind, uri ?? entity].compactMap(\.self).joined(separator: " ")
        switch values {
        case .none: return [title]
        case .whole(let values): return [title] + values.map { "  \($0.name): \($0.value.quoted)" }
        case .replaced(let values):
            return [title] + values.map { "  \($0.name): \($0.old?.quoted ?? "absent") → \($0.new.quoted)" }
        case .edge(let name, let uri, let isPresent): return [title, "  \(name): \(isPresent ? "+" : "-") \(uri)"]
        case .increment(let name, let amount, let seen):
            let (sum, _) = seen.addingReportingOverflow(amount)
            return [title, "  \(name): \(seen) → \(sum) (\(amount < 0 ? "" : "+")\(amount))"]
        case .declaration(let declaration): return [title] + declaration.fields.map { "  " + $0.property.description }
        case .former(let former): return ["\(title): the store wrote as \(former) before"]
        case .undone(let origin, let sequence): return ["\(title) of \(origin) \(sequence)"]
        }
    }

    var json: JSONValue {
        var members = [JSONMember("kind", .string(kind))]
        if let uri { members.append(JSONMember("_id", .string(uri))) }
        if let entity { members.append(JSONMember("entity", .string(entity))) }
        switch values {
        case .none: break
        case .whole(let values):
            members.append(JSONMember("values", .object(values.map { JSONMember($0.name, $0.value.json) })))
        case .replaced(let values):
            let pairs = values.map { value in
                // Without "old" there was no value, which is not null.
                let old = value.old.map { [JSONMember("old", $0.json)] } ?? []
                return JSONMember(value.name, .object(old + [JSONMember("new", value.new.json)]))
            }
            members.append(JSONMember("values", .object(pairs)))
        case .edge(let name, let uri, _):
            members += [JSONMember("property", .string(name)), JSONMember("target", .string(uri))]
        case .increment(let name, let amount, let seen):
            members += [
                JSONMember("property", .string(name)), JSONMember("by", .integer(amount)), JSONMember("seen", .integer(seen)),
            ]
        case .declaration(let declaration):
            members.append(JSONMember("version", .integer(Int64(declaration.version))))
            members.append(JSONMember("fields", .array(declaration.fields.map { .string($0.property.description) })))
        case .former(let former): members.append(JSONMember("former", .string(former.description)))
        case .undone(let origin, let sequence):
            members.append(JSONMember("origin", .string(origin.description)))
            members.append(JSONMember("sequence", .integer(Int64(clamping: sequence))))
        }
        return .object(members)
    }
}
