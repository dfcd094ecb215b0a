package import EventLog

extension FoldState {
    /// The visible objects of an entity, ascending; those that are one by their key once.
    package func objects(of entity: WireName) -> [ObjectID] {
        var living: [ObjectID] = []
        objects.visit(of: [entity]) { id, _ in living.append(id) }
        return living.filter { representative(of: $0) == $0 }.sorted()
    }

    /// The entities with living objects, ascending.
    package var populatedEntities: [WireName] {
        var entities: Set<WireName> = []
        objects.visit { _, record in
            if record.isAlive, let entity = record.entity { entities.insert(entity) }
        }
        return entities.sorted()
    }

    /// The row of the object that stands for `id`; nil when `id` is not visible.
    package func row(_ id: ObjectID) -> Row? {
        if let row = runRow(of: id) {
            return row.entity.map { Row(id: id, entity: $0.text, fields: row.values.map { Row.Field($0) }) }
        }
        let members = members(of: id)
        guard let representative = representative(among: members), let entity = objects[representative]?.entity
        else { return nil }
        let fields = values(of: members).map { value in
            guard value.property.type == .reference else { return Row.Field(value.property, .value(value.value)) }
            guard case .reference(let target) = value.value else { return Row.Field(value.property, .reference(.null)) }
            return Row.Field(value.property, .reference(read(target, through: value.property, of: entity, by: members)))
        }
        return Row(id: representative, entity: entity.text, fields: fields)
    }

    /// The row of a group with references as they were written, ascending by property.
    func values(of members: [ObjectID]) -> [PropertyValue] {
        let records = records(of: members)
        var properties: Set<Property> = []
        for record in records {
            properties.formUnion(record.current.registers.keys)
            properties.formUnion(record.current.counters.keys)
        }
        return properties.sorted().compactMap { property in
            value(of: property, in: records).map { PropertyValue(property, $0) }
        }
    }

    /// What a group's property reads as, unresolved; nil when it was never set.
    package func value(of property: Property, among members: [ObjectID]) -> Value? {
        value(of: property, in: records(of: members))
    }

    /// ``value(of:among:)``, of the records of a group.
    package func value(of property: Property, in records: [ObjectRecord]) -> Value? {
        let register = held(property, in: records)?.value
        guard property.type == .counter else { return register }
        let sums = records.compactMap { $0.current.sum(of: property) }
        return Value.reading(register, adding: sums.isEmpty ? nil : sums.reduce(0, &+))
    }
}

extension Row.Field {
    /// A field of an object whose references lead where they say, as its register holds it.
    package init(_ value: PropertyValue) {
        if value.property.type != .reference {
            self.init(value.property, .value(value.value))
        } else if case .reference(let target) = value.value {
            self.init(value.property, .reference(.object(target)))
        } else {
            self.init(value.property, .reference(.null))
        }
    }
}

extension ObjectRecord {
    /// What a property of the object alone reads as, unresolved; nil when it was never set.
    package func value(of property: Property) -> Value? {
        Value.reading(current.registers[property]?.value, adding: current.sum(of: property))
    }
}
