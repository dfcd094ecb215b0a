// From columns to single changes.
extension ChangeGroup {
    /// Calls `body` with each change in order.
    package func forEachChange<Failure: Error>(_ body: (Change) throws(Failure) -> Void) throws(Failure) {
        switch self {
        case .insert(let group):
            for row in group.indexes.indices {
                try body(.insert(object: group.object(row), entity: group.entity, values: group.values(row)))
            }
        case .update(let group):
            for row in group.objects.indices {
                try body(
                    .update(
                        object: group.objects[row], entity: group.entity, length: group.lengths[row],
                        assignments: group.assignments(row)))
            }
        case .delete(let group):
            for row in group.objects.indices {
                try body(
                    .delete(
                        object: group.objects[row], entity: group.entity, length: group.lengths[row], seen: group.values(row)))
            }
        case .restore(let group):
            for row in group.objects.indices {
                try body(
                    .restore(
                        object: group.objects[row], entity: group.entity, length: group.lengths[row],
                        values: group.values(row)))
            }
        case .edge(let group):
            for row in group.owners.indices { try body(group.change(row)) }
        case .increment(let group):
            for row in group.objects.indices { try body(group.change(row)) }
        case .schema(let declaration): try body(.schema(declaration))
        case .rename(let former): try body(.rename(former: former))
        case .undo(let origin, let sequence): try body(.undo(origin: origin, sequence: sequence))
        case .unknown(let kind): try body(.unknown(kind: kind))
        }
    }
}

extension ChangeGroup {
    /// The objects that it changes and does not make.
    package var touchedObjects: [ObjectID] {
        switch self {
        case .update(let group): group.objects
        case .delete(let group), .restore(let group): group.objects
        case .edge(let group): group.owners
        case .increment(let group): group.objects
        case .insert, .schema, .rename, .undo, .unknown: []
        }
    }
}

extension ChangeGroup.Inserts {
    /// The values of a row in the order of the columns.
    package func values(_ row: Int) -> [PropertyValue] {
        var values: [PropertyValue] = []
        values.reserveCapacity(columns.count)
        for column in columns { values.append(PropertyValue(column.property, column.values.value(at: row))) }
        return values
    }
}

extension ChangeGroup.Updates {
    package func assignments(_ row: Int) -> [Assignment] {
        var assignments: [Assignment] = []
        assignments.reserveCapacity(columns.count)
        for column in columns {
            let hadValue = column.hadValue[row]
            assignments.append(
                Assignment(
                    column.property, new: column.new.value(at: row), old: hadValue ? column.old.value(at: row) : nil,
                    overwrote: hadValue ? column.overwrote[row] : nil))
        }
        return assignments
    }
}

extension ChangeGroup.Rows {
    /// The values of a row, without the columns that it does not have.
    package func values(_ row: Int) -> [PropertyValue] {
        var values: [PropertyValue] = []
        values.reserveCapacity(columns.count)
        for column in columns where column.presence[row] {
            values.append(PropertyValue(column.property, column.values.value(at: row)))
        }
        return values
    }
}

extension ChangeGroup.Edges {
    fileprivate func change(_ row: Int) -> Change {
        .edge(
            owner: owners[row], entity: entity, property: property, target: targets[row], ownerLength: ownerLengths[row],
            length: lengths[row])
    }
}

extension ChangeGroup.Increments {
    fileprivate func change(_ row: Int) -> Change {
        .increment(
            object: objects[row], entity: entity, length: lengths[row], property: property, by: additions[row],
            seen: seen[row])
    }
}
