import Storage

/// What stands for a property in a change: by these a change finds its group.
protocol PropertyBearing {
    var property: Property { get }
}

extension Property: PropertyBearing {
    var property: Property { self }
}
extension PropertyValue: PropertyBearing {}
extension Assignment: PropertyBearing {}

// What a group takes, and what a change weighs.
extension OpenGroup {
    /// Whether it takes changes of this kind and these properties, in this order.
    func isOf<Entry: PropertyBearing>(_ kind: TransactionFormat.Kind, _ entity: String, _ entries: Span<Entry>) -> Bool {
        guard kind == self.kind, entries.count == properties.count, isSame(entity, self.entity) else { return false }
        for index in entries.indices {
            guard entries[index].property.type == properties[index].type,
                isSame(entries[index].property.name, properties[index].name)
            else { return false }
        }
        return true
    }

    /// Whether a text has the bytes of `own`, a name of this group.
    ///
    /// `==` takes canonically equivalent texts for equal. But what is equivalent to an ASCII text and is not that text has more
    /// bytes, so that the usual names need no look at each byte.
    @inline(__always)
    private func isSame(_ text: String, _ own: String) -> Bool {
        text == own && text.utf8.count == own.utf8.count && (isASCII || text.utf8.elementsEqual(own.utf8))
    }

    /// Refuses names and properties that no group of the kind can have.
    static func check(_ kind: TransactionFormat.Kind, _ entity: String, _ properties: [Property]) throws(ChangeRefused) {
        let limit = TransactionFormat.maximumName
        guard entity.utf8.count <= limit else {
            throw ChangeRefused(.tooLarge(size: entity.utf8.count, limit: limit), "entity name")
        }
        let isEdge = kind == .edge
        var known: Set<Property> = []
        for (place, property) in properties.enumerated() {
            guard property.name.utf8.count <= limit else {
                throw ChangeRefused(.tooLarge(size: property.name.utf8.count, limit: limit), "property name of \(entity)")
            }
            guard (property.type == .edges) == isEdge else { throw ChangeRefused(.wrongType, entity, property: property) }
            // For a few, looking at all of them is quicker than a table.
            let isNew =
                properties.count <= 16 ? !properties[..<place].contains(property) : known.insert(property).inserted
            guard isNew else {
                throw ChangeRefused(.duplicateProperty, entity, property: property)
            }
        }
    }
}

extension TransactionBuilder {
    /// About what the values take in a group.
    ///
    /// Refuses those that no part could hold.
    func weigh(_ values: [PropertyValue], _ entity: String) throws(ChangeRefused) -> Int {
        var weight = 0
        var names = 0
        // By span: a loop over the array would copy each value.
        let span = values.span
        for index in span.indices {
            weight += try weigh(span[index].value, span[index].property, entity)
            names += span[index].property.name.utf8.count
        }
        if weight + names + 64 * values.count > TransactionBuilder.maximumChange {
            throw tooLarge(weight, values.max { $0.value.byteCount < $1.value.byteCount }?.property, entity)
        }
        return weight
    }

    func weigh(_ assignments: [Assignment], _ entity: String) throws(ChangeRefused) -> Int {
        var weight = 0
        var names = 0
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
    var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        case .blob(let blob): 48 + (blob.inline?.count ?? 0)
        case .reference, .uuid: 8
        default: 0
        }
    }
}
