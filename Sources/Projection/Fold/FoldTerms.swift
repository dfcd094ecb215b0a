package import EventLog
import Storage

/// What an object is found by: its unique key, what it refers to, and where its edges end.
///
/// A term is kept as a hash, and stays when the object no longer has it; so whoever finds an object by one looks at its record.
package struct FoldTerms: Equatable {
    private(set) var key: UniqueKey?
    private(set) var keyHash: UInt64?
    /// By the property that refers, for the same target means something else through another.
    private(set) var references: [Reference] = []
    private var edges: [ObjectID] = []

    struct Reference: Equatable {
        let property: Property
        let target: ObjectID
    }

    init() {}

    init(of record: ObjectRecord, _ schema: SchemaState) {
        for place in record.current.edges.indices { edges += record.current.edges[place].value.keys }
        guard record.isAlive else { return }
        key = record.uniqueKey(by: schema)
        keyHash = key.map { Self.hash($0) }
        for place in record.current.registers.indices {
            guard case .reference(let target) = record.current.registers[place].value.value else { continue }
            references.append(Reference(property: record.current.registers[place].key, target: target))
        }
    }

    init(of insertion: Insertion, _ schema: SchemaState) {
        key = insertion.uniqueKey(by: schema)
        keyHash = key.map { Self.hash($0) }
        // By span: a loop over the array would copy each value.
        let values = insertion.values.span
        for place in values.indices {
            guard case .reference(let target) = values[place].value else { continue }
            references.append(Reference(property: values[place].property, target: target))
        }
        // As a record has them.
        if references.count > 1 { references.sort { $0.property < $1.property } }
    }

    /// All terms, each once.
    package var hashes: [UInt64] { hashes(without: FoldTerms()) }

    /// The terms that are not among those of another version.
    func hashes(without known: FoldTerms) -> [UInt64] {
        var hashes: [UInt64] = []
        if let keyHash, key != known.key { hashes.append(keyHash) }
        for (place, reference) in references.enumerated() {
            let target = reference.target
            if known.references.contains(where: { $0.target == target }) { continue }
            if references[..<place].contains(where: { $0.target == target }) { continue }
            hashes.append(Self.hash(referrersOf: target))
        }
        if edges != known.edges {
            let before = Set(known.edges)
            for target in edges where !before.contains(target) { hashes.append(Self.hash(edgesTo: target)) }
        }
        return hashes
    }

    static func hash(_ key: UniqueKey) -> UInt64 {
        var bytes = DigestBytes()
        begin(&bytes, key.entity)
        for value in key.values {
            bytes.add(value.property)
            bytes.add(value.value)
        }
        return bytes.digest.low
    }

    /// What the bytes of a key of an entity begin with.
    static func begin(_ bytes: inout DigestBytes, _ entity: WireName) {
        bytes.add(UInt8(ascii: "K"))
        bytes.add(entity.text)
    }

    static func hash(referrersOf target: ObjectID) -> UInt64 { hash(UInt8(ascii: "R"), target) }

    static func hash(edgesTo target: ObjectID) -> UInt64 { hash(UInt8(ascii: "E"), target) }

    private static func hash(_ kind: UInt8, _ target: ObjectID) -> UInt64 {
        var bytes = DigestBytes()
        bytes.add(kind)
        bytes.add(target)
        return bytes.digest.low
    }
}

/// One end of a relationship: an object and the property that refers from there.
package struct End: Hashable, Sendable, Comparable {
    package var object: ObjectID
    package var property: Property

    package init(object: ObjectID, property: Property) {
        self.object = object
        self.property = property
    }

    package static func < (a: End, b: End) -> Bool {
        a.object != b.object ? a.object < b.object : a.property < b.property
    }
}

/// What objects of an entity with a unique key are one by.
///
/// Types are part of it, and equality is by stored bytes.
package struct UniqueKey: Hashable, Sendable {
    package var entity: WireName
    package var values: [PropertyValue]
}

extension ObjectRecord {
    /// The key by the object's own registers; nil when a part is absent or null, or there is none.
    ///
    /// Where a name has values of several types, the one written last counts.
    func uniqueKey(by schema: SchemaState) -> UniqueKey? {
        guard isAlive, let entity else { return nil }
        let names = schema.key(of: entity)
        guard !names.isEmpty else { return nil }
        var values: [PropertyValue] = []
        values.reserveCapacity(names.count)
        for name in names {
            var last: Int?
            for place in current.registers.indices where current.registers[place].key.name.hasBytes(of: name) {
                let held = current.registers[place]
                if held.value.value == .null { continue }
                if let last {
                    let best = current.registers[last]
                    if (held.value.stamp, held.key) < (best.value.stamp, best.key) { continue }
                }
                last = place
            }
            guard let last else { return nil }
            let held = current.registers[last]
            values.append(PropertyValue(held.key, held.value.value))
        }
        return UniqueKey(entity: entity, values: values)
    }
}

extension Insertion {
    /// The unique key of the record that it makes.
    package func uniqueKey(by schema: SchemaState) -> UniqueKey? {
        let names = schema.key(of: entity)
        guard !names.isEmpty else { return nil }
        var parts: [PropertyValue] = []
        parts.reserveCapacity(names.count)
        for name in names {
            var last: Int?
            // By span: a loop over the array would copy each value.
            let span = values.span
            for place in span.indices where span[place].property.name.hasBytes(of: name) {
                if span[place].value.type == nil { continue }
                if let last, span[last].property > span[place].property { continue }
                last = place
            }
            guard let last else { return nil }
            parts.append(values[last])
        }
        return UniqueKey(entity: entity, values: parts)
    }
}
