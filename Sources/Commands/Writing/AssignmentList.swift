import Strandline

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a command sets properties to, read by the types that the store declares for them.
struct AssignmentList: Sendable {
    private enum Item: Sendable {
        case value(PropertyValue)
        /// The content of a file, which is stored by the write.
        case file(Property, path: String)
    }

    private var items: [Item] = []

    /// Reads `--set PROPERTY=VALUE` and `--null PROPERTY` from a command line.
    static func take(
        _ arguments: inout ArgumentReader
    ) throws(CommandError) -> (values: [AssignmentArgument], nulls: [String]) {
        (try arguments.options("--set", as: AssignmentArgument.self), try arguments.options("--null"))
    }

    /// - Throws: ``CommandError`` for a property that the entity does not have, or a text that is no value of its type.
    init(
        _ values: [AssignmentArgument], nulls: [String], of entity: EntityDeclaration, in catalog: SchemaCatalog
    ) throws(CommandError) {
        var names: Set<String> = []
        for name in values.map(\.name) + nulls where !names.insert(name).inserted {
            throw .usage("\(name) is set twice")
        }
        for value in values {
            items.append(try Self.item(value, try Self.field(value.name, of: entity, in: catalog), in: entity))
        }
        for name in nulls {
            let field = try Self.field(name, of: entity, in: catalog)
            items.append(.value(PropertyValue(field.property, try Self.null(field, in: entity))))
        }
    }

    /// The values, in a transaction: files are stored, and references must lead to an object.
    func values(in transaction: WriteTransaction) throws -> [PropertyValue] {
        try items.map { item in
            switch item {
            case .file(let property, let path):
                return PropertyValue(property, .blob(try transaction.ingest(Blob(contentsOf: path).content)))
            case .value(let value):
                if case .reference(let target) = value.value, try transaction.row(target) == nil {
                    throw CommandError.failed("\(value.property.name): there is no object \(target) in this store")
                }
                return value
            }
        }
    }

    /// The field that a name sets: of several columns the first, as predicates take it.
    private static func field(
        _ name: String, of entity: EntityDeclaration, in catalog: SchemaCatalog
    ) throws(CommandError) -> FieldDeclaration {
        let fields = try catalog.fields(name, of: entity)
        if let field = fields.first(where: {
            $0.property.type != .edges && ($0.relationship?.storage ?? .register) == .register
        }) {
            return field
        }
        let relationship = fields[0].relationship
        guard let target = relationship?.target, let inverse = relationship?.inverse, relationship?.storage == .inverse else {
            throw .failed("\(entity.name).\(name) holds many objects and cannot be set")
        }
        throw .failed("\(entity.name).\(name) is kept at the other end; set \(target).\(inverse) instead")
    }

    private static func item(
        _ argument: AssignmentArgument, _ field: FieldDeclaration, in entity: EntityDeclaration
    ) throws(CommandError) -> Item {
        let property = field.property
        if property.type == .blob, argument.text.hasPrefix("@") {
            return .file(property, path: String(argument.text.dropFirst()))
        }
        if property.type != .string, argument.text == "null" {
            return .value(PropertyValue(property, try null(field, in: entity)))
        }
        return .value(PropertyValue(property, try value(argument.text, field, in: entity)))
    }

    private static func null(_ field: FieldDeclaration, in entity: EntityDeclaration) throws(CommandError) -> Value {
        if !field.isOptional, field.relationship == nil {
            throw .failed("\(entity.name).\(field.property.name) is not optional, so it cannot be null")
        }
        return .null
    }

    private static func value(
        _ text: String, _ field: FieldDeclaration, in entity: EntityDeclaration
    ) throws(CommandError) -> Value {
        let name = "\(entity.name).\(field.property.name)"
        func read<Result>(_ expectation: String, _ result: Result?) throws(CommandError) -> Result {
            guard let result else { throw .failed("\(name) needs \(expectation), not '\(text)'") }
            return result
        }
        switch field.property.type {
        case .bool: return .bool(try read("true or false", bool(text)))
        case .int: return .int(try read("a whole number of 64 bits", Int64(text)))
        case .counter: return .counter(try read("a whole number of 64 bits", Int64(text)))
        case .double: return .double(try read("a number", Double(text)))
        case .string: return .string(text)
        case .date: return .date(try read(DateArgument.expectation, DateLiteral.seconds(text)))
        case .uuid: return .uuid(try read("a UUID", IdentifierLiteral.uuid(text)))
        case .data: return .data(try data(text, name))
        case .blob: throw .failed("\(name) is a blob: name the file with its content, \(field.property.name)=@FILE")
        case .reference:
            let target = try read(ObjectArgument.expectation, ObjectArgument(argument: text))
            if let wanted = field.relationship?.target, wanted != target.entity {
                throw .failed("\(name) refers to objects of \(wanted), not of \(target.entity)")
            }
            return .reference(target.id)
        case .edges: throw .failed("\(name) holds many objects and cannot be set")
        }
    }

    private static func bool(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    private static func data(_ text: String, _ name: String) throws(CommandError) -> [UInt8] {
        guard text.hasPrefix("@") else {
            guard let data = Data(base64Encoded: text) else {
                throw .failed("\(name) needs base64 or @FILE, not '\(text)'")
            }
            return [UInt8](data)
        }
        let path = String(text.dropFirst())
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .failed("\(name): the file \(path) cannot be read")
        }
    }
}
