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

// What a group takes.
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

    /// Whether it is so small that a change of ``UpdatedColumn/most`` such values fits a part, and nobody need weigh it.
    ///
    /// No blob is: what it brings along has rules of its own.
    package var isSmall: Bool {
        if case .blob = self { return false }
        return Self.isSmall(byteCount)
    }

    /// Whether a text or data of so many bytes is small.
    package static func isSmall(_ bytes: Int) -> Bool { bytes <= TransactionFormat.maximumPart / 4 / UpdatedColumn.most }
}
