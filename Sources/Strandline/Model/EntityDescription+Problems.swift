extension EntityDescription {
    /// What is wrong with the schema by itself, in the order of its lines.
    func problems() -> [SchemaProblem] {
        var problems: [SchemaProblem] = []
        if name.isEmpty {
            problems.append(SchemaProblem(typeName, nil, "has an empty wire name; give its schema one"))
        }
        if version == 0 { problems.append(SchemaProblem(name, nil, "has version 0; the first version is 1")) }
        problems += fieldProblems() + keyProblems()
        #if DEBUG
        problems += forgottenProperties()
        #endif
        return problems
    }

    private func fieldProblems() -> [SchemaProblem] {
        var problems: [SchemaProblem] = []
        for (place, field) in fields.enumerated() {
            if field.name.isEmpty {
                problems.append(SchemaProblem(name, nil, "has a field with an empty wire name: \(field.keyPath)"))
            }
            if field.name == "_id" {
                problems.append(
                    SchemaProblem(name, "_id", "is what the object's id is called outside; choose another wire name"))
            }
            let earlier = fields[..<place]
            if earlier.contains(where: { $0.name.utf8.elementsEqual(field.name.utf8) }) {
                problems.append(
                    SchemaProblem(name, field.name, "is declared twice; give one of the two fields another wire name"))
            }
            if let other = earlier.first(where: { $0.keyPath == field.keyPath }) {
                problems.append(
                    SchemaProblem(name, field.name, "stores the same property as \(name).\(other.name); remove one line"))
            }
            if field.access == nil {
                problems.append(
                    SchemaProblem(
                        name, field.name,
                        "is not a stored property (computed, wrapped or observed); store it directly or remove its line"))
            }
        }
        return problems
    }

    private func keyProblems() -> [SchemaProblem] {
        var problems: [SchemaProblem] = []
        if uniqueKeys.count > 1 {
            problems.append(
                SchemaProblem(
                    name, nil, "has \(uniqueKeys.count) unique keys, and can have one; Unique(…) takes several properties"))
        }
        for keyPath in uniqueKeys.joined() {
            guard let field = field(at: keyPath) else {
                problems.append(
                    SchemaProblem(name, nil, "has a unique key with \(keyPath), which has no line; add a Field for it"))
                continue
            }
            let cannotBeKey: Set<ValueType> = [.blob, .counter, .edges]
            if let type = field.access?.type, cannotBeKey.contains(type) {
                problems.append(SchemaProblem(name, field.name, "is a \(type) and cannot be part of a unique key; take it out"))
            }
        }
        return problems
    }

    /// Stored properties that no line names.
    private func forgottenProperties() -> [SchemaProblem] {
        let known = fields.compactMap(\.offset)
        let forgotten = storedProperties().filter { property in
            let place = property.offset..<(property.offset + property.size)
            return property.label != "id" && !place.isEmpty && !known.contains(where: place.contains)
        }
        return forgotten.map { property in
            SchemaProblem(
                name, property.label, isFatal: false,
                """
                has no line in the schema, so it is not stored; add this one, or make it a computed property:
                    Field("\(property.label)", \\.\(property.label))
                """)
        }
    }
}
