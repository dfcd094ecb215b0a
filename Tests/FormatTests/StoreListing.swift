import EventLog
import Storage
import Strandline

/// Everything a store holds as text, in the form that `Tests/SpecReader` prints too.
enum StoreListing {
    /// Lists a store without changing it.
    static func text(at path: String, in environment: Environment) async throws -> String {
        let log = try EventLog.open(at: path, in: environment, mode: .readOnly)
        let held = log.heldOrigins
        let contexts = try contexts(log)
        try log.close()
        var options = Store.Options()
        options.isReadOnly = true
        options.creates = false
        let store = try await Store.open(.environment(path, environment), options: options)
        var transactions: [Transaction] = []
        for try await transaction in store.history() { transactions.append(transaction) }
        transactions.sort { ($0.header.origin, $0.header.sequence) < ($1.header.origin, $1.header.sequence) }
        var lines = transactions.flatMap { self.lines($0, contexts[$0.header.chain] ?? []) }
        for origin in held {
            lines.append("held \(origin.origin) \(origin.sequences.lowerBound) to \(origin.sequences.upperBound)")
        }
        lines.append("state digest \(try store.digest())")
        lines.append("content digest \(try store.contentDigest())")
        lines.append("token \(store.token)")
        try await store.close()
        return lines.map { $0 + "\n" }.joined()
    }

    /// What each transaction says that its writer knew, by its chain: names as the writer knew them, which no fork changes.
    private static func contexts(_ log: EventLog) throws -> [Digest128: [ContextEntry]] {
        var reader = try LogReader(log)
        var decoder = TransactionDecoder()
        var contexts: [Digest128: [ContextEntry]] = [:]
        while let stored = try reader.next() {
            var parts: [PartBytes] = []
            try log.forEachPart(of: stored) { parts.append($0) }
            contexts[stored.chain] = try decoder.decode(
                parts: parts, origin: stored.branch.origin, sequence: stored.sequence, previousChain: stored.previousChain,
                chain: stored.chain
            ).header.context
        }
        return contexts
    }

    private static func lines(_ transaction: Transaction, _ context: [ContextEntry]) -> [String] {
        let header = transaction.header
        let void = header.isVoid ? " void" : ""
        var lines = [
            "\(header.origin) \(header.sequence) at \(time(header.timestamp)) by \(text(header.author)) "
                + "chain \(header.chain)\(void)"
        ]
        for entry in context { lines.append("  knows \(entry.origin) \(entry.sequence) \(entry.chain)") }
        for change in transaction.changes { lines += self.lines(change) }
        return lines
    }

    private static func lines(_ change: Change) -> [String] {
        switch change {
        case .insert(let object, let entity, let values): self.values(of: "insert", entity, object, 1, values)
        case .delete(let object, let entity, let length, let seen): self.values(of: "delete", entity, object, length, seen)
        case .restore(let object, let entity, let length, let values):
            self.values(of: "restore", entity, object, length, values)
        case .update(let object, let entity, let length, let assignments):
            [head("update", entity, object, length)]
                + assignments.sorted { $0.property < $1.property }.map { assignment in
                    let seen =
                        assignment.overwrote.map {
                            "\(text(assignment.old ?? .null)) of \(time($0.timestamp)) \($0.replica)"
                        } ?? "absent"
                    return "    \(name(assignment.property)) = \(text(assignment.new)) was \(seen)"
                }
        case .edge(let owner, let entity, let property, let target, let ownerLength, let length):
            [head("edge", entity, owner, ownerLength) + " \(property.name) -> \(text(target)) length \(length)"]
        case .increment(let object, let entity, let length, let property, let amount, let seen):
            [head("increment", entity, object, length) + " \(property.name) by \(amount) seen \(seen)"]
        case .schema(let declaration): lines(declaration)
        case .rename(let former): ["  rename from \(former)"]
        case .undo(let origin, let sequence): ["  undo of \(origin) \(sequence)"]
        case .unknown(let kind): ["  unknown \(kind)"]
        }
    }

    private static func head(_ kind: String, _ entity: String, _ object: ObjectID, _ length: UInt32) -> String {
        "  \(kind) \(entity) \(text(object)) length \(length)"
    }

    private static func values(
        of kind: String, _ entity: String, _ object: ObjectID, _ length: UInt32, _ values: [PropertyValue]
    ) -> [String] {
        [head(kind, entity, object, length)]
            + values.sorted { $0.property < $1.property }.map { "    \(name($0.property)) = \(text($0.value))" }
    }

    private static func lines(_ declaration: EntityDeclaration) -> [String] {
        let key = declaration.uniqueKey.joined(separator: " ")
        var lines = ["  schema \(declaration.name) version \(declaration.version) key [\(key)]"]
        for field in declaration.fields {
            var line = "    \(name(field.property))"
            if field.isOptional { line += " optional" }
            if field.isIndexed { line += " indexed" }
            if let relationship = field.relationship {
                line += " to \(relationship.isToMany ? "many " : "")\(relationship.target)"
                line += " inverse [\(relationship.inverse ?? "")] rule \(relationship.deleteRule.rawValue)"
                line += " storage \(relationship.storage.rawValue)"
            }
            lines.append(line)
        }
        return lines
    }

    private static func time(_ timestamp: Timestamp) -> String {
        "\(timestamp.rawValue >> 16).\(timestamp.rawValue & 0xffff)"
    }

    private static func name(_ property: Property) -> String { "\(property.name) \(property.type.rawValue)" }

    private static func text(_ object: ObjectID) -> String { "\(object.replica)/\(object.sequence).\(object.index)" }

    private static func text(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value), .counter(let value): "\(value)"
        case .double(let value), .date(let value): "bits \(value.bitPattern)"
        case .string(let value): text(value)
        case .uuid(let value): "\(value)"
        case .data(let value): bytes(value)
        case .blob(let value): "\(value.id) \(value.length) \(value.inline == nil ? "file" : "inline")"
        case .reference(let value): text(value)
        }
    }

    /// In quotes where that is plain, by its bytes otherwise.
    private static func text(_ value: String) -> String {
        let isPlain = value.utf8.count <= 64 && value.utf8.allSatisfy { 0x20..<0x7f ~= $0 && $0 != 0x22 && $0 != 0x5c }
        return isPlain ? "\"\(value)\"" : "utf8 " + bytes(Array(value.utf8))
    }

    /// Hexadecimal digits; of more than 32 bytes their hash.
    private static func bytes(_ value: [UInt8]) -> String {
        value.count > 32 ? "\(value.count) bytes \(Checksum.xxh3Wide(value.span))" : Hexadecimal.text(value)
    }
}
