import Storage

// What a change weighs, and how one that no part could hold is told in several.
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
        let size = weight + names + 64 * values.count
        if size > TransactionBuilder.maximumChange {
            throw tooLarge(size, values.max { $0.value.byteCount < $1.value.byteCount }?.property, entity)
        }
        return weight
    }

    /// About what an update takes in a group.
    func weigh(_ assignments: [Assignment], _ entity: String) throws(ChangeRefused) -> Int {
        var weight = 0
        for entry in assignments {
            guard (entry.old == nil) == (entry.overwrote == nil) else {
                throw ChangeRefused(.unprovenOldValue, entity, property: entry.property)
            }
            weight += try weigh(entry.new, entry.property, entity) + 9
            if let old = entry.old { weight += try weigh(old, entry.property, entity) }
        }
        return weight
    }

    /// An update as changes that a part can hold each, one after the other: as one where it can be.
    ///
    /// What an insert could write can be written over: where a value and the one it takes the place of do not fit one change, the
    /// property is set to null first. That change has the old value, and the next one that it wrote over this null.
    ///
    /// - Throws: when a value alone is too large.
    func steps(_ assignments: [Assignment], _ entity: String) throws(ChangeRefused) -> [[Assignment]] {
        guard assignments.reduce(0, { $0 + Self.size($1) }) > TransactionBuilder.maximumChange else { return [assignments] }
        try OpenGroup.check(.update, entity, assignments.map(\.property))
        var steps: [[Assignment]] = []
        var size = 0
        for part in assignments.flatMap({ alone($0) }) {
            let own = Self.size(part)
            guard own <= TransactionBuilder.maximumChange else { throw tooLarge(own, part.property, entity) }
            let isSecond = steps.last?.last?.property == part.property
            if steps.isEmpty || isSecond || size + own > TransactionBuilder.maximumChange {
                steps.append([])
                size = 0
            }
            steps[steps.count - 1].append(part)
            size += own
        }
        return steps
    }

    private func alone(_ assignment: Assignment) -> [Assignment] {
        guard Self.size(assignment) > TransactionBuilder.maximumChange, let old = assignment.old, old != .null,
            assignment.new != .null
        else { return [assignment] }
        return [
            Assignment(assignment.property, new: .null, old: old, overwrote: assignment.overwrote),
            Assignment(assignment.property, new: assignment.new, old: .null, overwrote: stamp),
        ]
    }

    /// No more for a value alone than the insert of it takes.
    private static func size(_ assignment: Assignment) -> Int {
        let (new, old) = (assignment.new.byteCount, assignment.old?.byteCount ?? 0)
        return assignment.property.name.utf8.count + 64 + new + old + (new > 0 && old > 0 ? 128 : 0)
    }

    /// What a change and its names may take, so that it fits a part of its own with room for the entity, ids and counts.
    static let maximumChange = TransactionFormat.maximumPart - 1024

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
