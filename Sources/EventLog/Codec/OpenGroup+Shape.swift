import Storage

// What a group takes, and what a change weighs.
extension OpenGroup {
    /// Whether it takes changes of this kind and these properties, in this order.
    func isOf(_ kind: TransactionFormat.Kind, _ entity: String, _ count: Int, _ property: (Int) -> Property) -> Bool {
        guard kind == self.kind, count == properties.count, entity.hasSameBytes(as: self.entity) else { return false }
        for index in 0..<count {
            let other = property(index)
            guard other.type == properties[index].type, other.name.hasSameBytes(as: properties[index].name) else { return false }
        }
        return true
    }

    /// Refuses names and properties that no group of the kind can have.
    static func check(_ kind: TransactionFormat.Kind, _ entity: String, _ properties: [Property]) throws(ChangeRefused) {
        let limit = TransactionFormat.maximumName
        guard entity.utf8.count <= limit else {
            throw ChangeRefused(.tooLarge(size: entity.utf8.count, limit: limit), "entity name")
        }
        let isEdge = kind == .edge
        var known: Set<Property> = []
        for property in properties {
            guard property.name.utf8.count <= limit else {
                throw ChangeRefused(.tooLarge(size: property.name.utf8.count, limit: limit), "property name of \(entity)")
            }
            guard (property.type == .edges) == isEdge else { throw ChangeRefused(.wrongType, entity, property: property) }
            guard known.insert(property).inserted else {
                throw ChangeRefused(.duplicateProperty, entity, property: property)
            }
        }
    }
}

extension TransactionBuilder {
    /// About what the values take in a group. Refuses those that no part could hold.
    func weigh(_ values: [PropertyValue], _ entity: String) throws(ChangeRefused) -> Int {
        var weight = 0, names = 0
        for entry in values {
            weight += try weigh(entry.value, entry.property, entity)
            names += entry.property.name.utf8.count
        }
        if weight + names + 64 * values.count > TransactionBuilder.maximumChange {
            throw tooLarge(weight, values.max { $0.value.byteCount < $1.value.byteCount }?.property, entity)
        }
        return weight
    }

    func weigh(_ assignments: [Assignment], _ entity: String) throws(ChangeRefused) -> Int {
        var weight = 0, names = 0
        for entry in assignments {
            guard (entry.old == nil) == (entry.overwrote == nil) else {
                throw ChangeRefused(.unprovenOldValue, entity, property: entry.property)
            }
            weight += try weigh(entry.new, entry.property, entity) + 9
            if let old = entry.old { weight += try weigh(old, entry.property, entity) }
            names += entry.property.name.utf8.count
        }
        if weight + names + 192 * assignments.count > TransactionBuilder.maximumChange {
            let largest = assignments.max {
                $0.new.byteCount + ($0.old?.byteCount ?? 0) < $1.new.byteCount + ($1.old?.byteCount ?? 0)
            }
            throw tooLarge(weight, largest?.property, entity)
        }
        return weight
    }

    /// What a change and its names may take, so that it fits a part of its own with room for the entity, ids and counts.
    private static let maximumChange = TransactionFormat.maximumPart - 1024

    private func weigh(_ value: Value, _ property: Property, _ entity: String) throws(ChangeRefused) -> Int {
        guard let type = value.type else { return 1 }
        guard type == property.type else { throw ChangeRefused(.wrongType, entity, property: property) }
        if case .blob(let blob) = value, let inline = blob.inline {
            guard inline.count == Int(exactly: blob.length), inline.count <= TransactionFormat.maximumInlineBlob else {
                throw ChangeRefused(
                    .tooLarge(size: inline.count, limit: TransactionFormat.maximumInlineBlob), entity, property: property)
            }
        }
        return 9 + value.byteCount
    }

    private func tooLarge(_ size: Int, _ property: Property?, _ entity: String) -> ChangeRefused {
        ChangeRefused(.tooLarge(size: size, limit: TransactionBuilder.maximumChange), entity, property: property)
    }
}

extension Value {
    /// The bytes it takes beyond a number.
    fileprivate var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        case .blob(let blob): 48 + (blob.inline?.count ?? 0)
        case .reference, .uuid: 8
        default: 0
        }
    }
}

extension String {
    /// Equality of the UTF-8 bytes. `==` would take canonically equivalent texts for equal.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
