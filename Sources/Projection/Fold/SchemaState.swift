package import EventLog
import Storage

// Invariants
// * Each field, by name and type, and each unique key is that of the highest (declared version, stamp) merged so far.
// * A record that declares fields declares a key too, so the highest record of all holds the key.
// * `rules` and `oneToOnes` are derived from `entities`.

/// The merge of all schema records that were applied.
package struct SchemaState: Hashable, Sendable {
    package struct Rank: Hashable, Sendable, Comparable {
        package var version: UInt32
        package var stamp: Stamp

        package static func < (a: Rank, b: Rank) -> Bool {
            a.version != b.version ? a.version < b.version : a.stamp < b.stamp
        }
    }

    struct EntityState: Hashable, Sendable {
        var fields: [Property: RankedField] = [:]
        var key: [String] = []
        var keyRank: Rank
    }

    struct RankedField: Hashable, Sendable {
        var rank: Rank
        var field: FieldDeclaration
    }

    private var entities: [WireName: EntityState] = [:]
    /// Per entity and field with a register: what the field at the other end says becomes of the referring object.
    private var rules: [WireName: [Property: Relationship.DeleteRule]] = [:]
    /// Per entity the fields with a register whose other end is to-one too.
    private var oneToOnes: [WireName: Set<Property>] = [:]

    package init() {}

    mutating func merge(_ declaration: EntityDeclaration, stamp: Stamp) {
        let rank = Rank(version: declaration.version, stamp: stamp)
        let name = WireName(declaration.name)
        var entity = entities[name] ?? EntityState(keyRank: rank)
        if rank >= entity.keyRank {
            entity.key = declaration.uniqueKey
            entity.keyRank = rank
        }
        for field in declaration.fields {
            if let held = entity.fields[field.property], held.rank > rank { continue }
            entity.fields[field.property] = RankedField(rank: rank, field: field)
        }
        entities[name] = entity
        deriveRules()
    }

    /// Whether an entity was declared.
    package func declares(_ entity: WireName) -> Bool { entities[entity] != nil }

    /// The declared entities, ascending.
    package var names: [WireName] { entities.keys.sorted() }

    /// The names of the properties of the unique key; empty without one.
    package func key(of entity: WireName) -> [String] { entities[entity]?.key ?? [] }

    /// Tells whether the unique keys of some entities, ascending, are the same.
    func keySignature(of names: [WireName]) -> UInt64 {
        var bytes = DigestBytes()
        for name in names {
            bytes.add(name.text)
            let key = key(of: name)
            bytes.addVarint(key.count)
            for part in key { bytes.add(part) }
        }
        return bytes.digest.low
    }

    /// The fields of an entity, ascending by property.
    package func fields(of entity: WireName) -> [FieldDeclaration] {
        (entities[entity]?.fields ?? [:]).values.map(\.field).sorted { $0.property < $1.property }
    }

    package func field(_ property: Property, of entity: WireName) -> FieldDeclaration? {
        entities[entity]?.fields[property]?.field
    }

    /// The merged declaration; its version is the highest that was declared.
    package func declaration(of entity: WireName) -> EntityDeclaration? {
        guard let state = entities[entity] else { return nil }
        return EntityDeclaration(
            name: entity.text, version: state.keyRank.version, fields: fields(of: entity), uniqueKey: state.key)
    }

    /// What becomes of an object whose register `property` refers to an object that is deleted.
    package func rule(of property: Property, in entity: WireName) -> Relationship.DeleteRule {
        rules[entity]?[property] ?? .nullify
    }

    /// Whether at most one object is to refer to another through the register `property`.
    package func isOneToOne(_ property: Property, in entity: WireName) -> Bool {
        oneToOnes[entity]?.contains(property) ?? false
    }

    /// Whether an entity has registers of which that is true.
    func hasOneToOnes(_ entity: WireName) -> Bool { oneToOnes[entity] != nil }

    /// The entities whose references mean something else in another state.
    func relatedOtherwise(than other: SchemaState) -> Set<WireName> {
        Set(rules.keys).union(other.rules.keys).filter {
            rules[$0] != other.rules[$0] || oneToOnes[$0] != other.oneToOnes[$0]
        }
    }

    /// The registers that refer to cascade owners.
    func cascades(of entity: WireName) -> [Property] {
        (rules[entity] ?? [:]).filter { $0.value == .cascade }.map(\.key)
    }

    /// The field at the other end of a relationship: the one that it names, or that names it.
    package func inverse(of field: FieldDeclaration, in entity: WireName) -> FieldDeclaration? {
        guard let relationship = field.relationship else { return nil }
        return fields(of: WireName(relationship.target)).first { other in
            guard let back = other.relationship else { return false }
            let isNamed = relationship.inverse.map { WireName($0) == WireName(other.property.name) } ?? false
            let names = WireName(back.target) == entity && back.inverse.map { WireName($0) } == WireName(field.property.name)
            return isNamed || names
        }
    }

    private mutating func deriveRules() {
        rules = [:]
        oneToOnes = [:]
        for (name, entity) in entities {
            for ranked in entity.fields.values where ranked.field.relationship?.storage == .register {
                guard let inverse = inverse(of: ranked.field, in: name)?.relationship else { continue }
                rules[name, default: [:]][ranked.field.property] = inverse.deleteRule
                if !inverse.isToMany { oneToOnes[name, default: []].insert(ranked.field.property) }
            }
        }
    }

    /// The records that give this state when merged, ascending by entity, version and stamp.
    package var records: [Baseline.SchemaEntry] {
        entities.sorted { $0.key < $1.key }.flatMap { name, entity in
            let byRank = Dictionary(grouping: entity.fields.values, by: \.rank)
            return Set(byRank.keys).union([entity.keyRank]).sorted().map { rank in
                Baseline.SchemaEntry(
                    stamp: rank.stamp,
                    declaration: EntityDeclaration(
                        name: name.text, version: rank.version,
                        fields: (byRank[rank] ?? []).map(\.field).sorted { $0.property < $1.property },
                        uniqueKey: rank == entity.keyRank ? entity.key : []))
            }
        }
    }
}
