// Invariants
// * `types` are the columns that the store has, or that `undeclared` is about to give it; under each name the preferred first.
// * `undeclared` is emptied by `takeDeclaration`, whose result the next batch must record before its rows.

import Projection
import Strandline

/// The columns of an entity that is imported: which there are, which are new, and what goes where.
struct ImportColumns {
    /// Why a row does not fit: a sentence.
    struct Mismatch: Error {
        var field: String
        var message: String
    }

    /// Exported objects have their URI under this name; it is no property.
    static let reserved = "_id"

    let entity: String
    let key: [String]
    /// Whether the file has text for everything.
    let isText: Bool
    /// Whether the store did not know the entity when the import began.
    let isNew: Bool
    private let version: UInt32
    private let overrides: [WireName: ValueType]
    private var types: [WireName: [ValueType]] = [:]
    /// Names of relationships that have no column of their own.
    private var derived: Set<WireName> = []
    private var undeclared: [FieldDeclaration] = []
    private var isKeyDeclared: Bool

    init(_ declaration: EntityDeclaration?, entity: String, key: [String], overrides: [String: ValueType], isText: Bool) {
        self.isText = isText
        self.entity = entity
        self.key = key
        self.overrides = Dictionary(overrides.map { (WireName($0.key), $0.value) }, uniquingKeysWith: { $1 })
        isNew = declaration == nil
        version = declaration?.version ?? 1
        isKeyDeclared = declaration.map { !$0.uniqueKey.isEmpty } ?? false
        for field in declaration?.fields ?? [] {
            let isColumn = field.property.type != .edges && (field.relationship?.storage ?? .register) == .register
            let name = WireName(field.property.name)
            if isColumn {
                types[name, default: []].append(field.property.type)
            } else {
                derived.insert(name)
            }
        }
        for (name, type) in self.overrides.sorted(by: { $0.key < $1.key }) { add(type, to: name.text) }
    }

    /// The types of a name's columns; empty when it has none.
    func types(of name: String) -> [ValueType] { types[WireName(name)] ?? [] }

    /// Whether a name has a column that can hold the value.
    func holds(_ member: JSONMember) -> Bool {
        let types = overrides[WireName(member.key)].map { [$0] } ?? types(of: member.key)
        return types.contains { stored(member, as: $0) != nil }
    }

    /// Whether the types of a name's columns come from what the file had so far.
    func isGuess(_ name: String) -> Bool { isNew && overrides[WireName(name)] == nil }

    /// Adds a column, unless it is there.
    mutating func add(_ type: ValueType, to name: String) {
        let wire = WireName(name)
        guard !derived.contains(wire), !types(of: name).contains(type) else { return }
        types[wire, default: []].append(type)
        let isKey = key.contains { WireName($0) == wire }
        undeclared.append(FieldDeclaration(Property(name, type), isOptional: !isKey))
    }

    /// What is to be recorded before the next rows; nil when the store knows it all.
    mutating func takeDeclaration() -> EntityDeclaration? {
        guard !undeclared.isEmpty || !isKeyDeclared else { return nil }
        defer {
            undeclared = []
            isKeyDeclared = true
        }
        return EntityDeclaration(name: entity, version: version, fields: undeclared, uniqueKey: key)
    }

    /// What a record sets.
    ///
    /// - Throws: a mismatch where a name has no column, or none that can hold the value.
    func values(of members: [JSONMember]) throws(Mismatch) -> [PropertyValue] {
        var values: [PropertyValue] = []
        values.reserveCapacity(members.count)
        for member in members where member.key != Self.reserved {
            guard let types = types[WireName(member.key)] else { throw unknown(member) }
            if types.count == 1 {
                guard let value = stored(member, as: types[0]) else { throw mismatch(member, types) }
                values.append(PropertyValue(Property(member.key, types[0]), value))
            } else {
                try append(member, types, to: &values)
            }
        }
        return values
    }

    /// The value goes into one column; the others of the name become null, so that what they had does not outlive it.
    private func append(_ member: JSONMember, _ types: [ValueType], to values: inout [PropertyValue]) throws(Mismatch) {
        var chosen = overrides[WireName(member.key)]
        if chosen == nil, let exact = (isText ? member.value.guessed : member.value).exactType, types.contains(exact) {
            chosen = exact
        }
        if chosen == nil { chosen = types.first { stored(member, as: $0) != nil } }
        guard let chosen, let value = stored(member, as: chosen) else { throw mismatch(member, types) }
        values.append(PropertyValue(Property(member.key, chosen), value))
        for other in types where other != chosen && other != .counter {
            values.append(PropertyValue(Property(member.key, other), .null))
        }
    }

    private func stored(_ member: JSONMember, as type: ValueType) -> Value? {
        isText ? member.value.storedText(as: type) : member.value.stored(as: type)
    }

    private func unknown(_ member: JSONMember) -> Mismatch {
        if derived.contains(WireName(member.key)) {
            return Mismatch(
                field: member.key,
                message: "\(entity).\(member.key) is a relationship that is kept at its other end; import it there")
        }
        return Mismatch(field: member.key, message: "\(entity) has no property \(member.key)")
    }

    private func mismatch(_ member: JSONMember, _ types: [ValueType]) -> Mismatch {
        let names = types.map { "\($0)" }.joined(separator: " or ")
        let text = member.value.text
        let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
        var message = "\(entity).\(member.key) holds \(names), and the row has \(member.value.kind) there: \(shown)"
        if !isText, case .string(let text) = member.value, Double(text) != nil { message += " (in quotes it is no number)" }
        if let exact = member.value.exactType, !types.contains(exact) {
            message += "; correct the file, or give such values a column of their own with the type \(member.key):\(exact)"
        }
        return Mismatch(field: member.key, message: message)
    }
}
