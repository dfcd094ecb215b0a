import EventLog

extension FoldState: CustomStringConvertible {
    /// One picture of all that can be read, the same for equal states: per visible object a line, then its fields,
    /// then its relationships.
    ///
    /// Replicas appear by their first eight digits.
    package var description: String {
        var lines: [String] = []
        for entity in populatedEntities {
            for id in objects(of: entity) {
                lines.append(line(of: id, entity))
            }
        }
        return lines.joined(separator: "\n")
    }

    private func line(of id: ObjectID, _ entity: WireName) -> String {
        var line = "\(entity) \(Self.short(id))"
        let others = members(of: id).filter { $0 != id }
        if !others.isEmpty { line += " + " + others.map(Self.short).joined(separator: " + ") }
        for field in row(id)?.fields ?? [] { line += ", \(field.property.name): \(Self.text(field.value))" }
        for field in schema.fields(of: entity) where field.relationship.map({ $0.storage != .register }) ?? false {
            let ends = related(to: id, through: field)
            line += ", \(field.property.name): [\(ends.map(Self.short).joined(separator: " "))]"
        }
        return line
    }

    static func short(_ id: ObjectID) -> String { "\(id.replica.description.prefix(8))/\(id.sequence).\(id.index)" }

    private static func text(_ value: ResolvedValue) -> String {
        switch value {
        case .value(let value): text(value)
        case .reference(.object(let id)): short(id)
        case .reference(.null): "null"
        case .reference(.dangling(let id)): "dangling \(short(id))"
        case .reference(.notHereYet(let id)): "awaited \(short(id))"
        }
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): "\"\(value)\""
        case .date(let value): "date \(value)"
        case .uuid(let value): "uuid \(value)"
        case .data(let value): "data \(value)"
        case .blob(let value): "blob \(value.id)"
        case .reference(let value): short(value)
        case .counter(let value): "#\(value)"
        }
    }
}
