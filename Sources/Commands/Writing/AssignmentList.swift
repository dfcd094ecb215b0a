import Storage
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
        /// Another object, to be put into a many-to-many relationship or taken out.
        case edge(Property, ObjectID, isPresent: Bool)
    }

    /// A property of type data is kept in the log, whose frames have this size.
    private static let longestData: UInt64 = 1 << 20

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
        var names: Set<WireName> = []
        var others: [WireName: Set<ObjectID>] = [:]
        for value in values {
            let name = WireName(value.name)
            let item = try Self.item(value, try Self.field(value.name, of: entity, in: catalog), in: entity)
            items.append(item)
            if case .edge(_, let other, _) = item {
                guard others[name, default: []].insert(other).inserted else {
                    throw .usage("\(name) is given \(value.text.dropFirst()) twice")
                }
            } else if !names.insert(name).inserted {
                throw .usage("\(name) is set twice")
            }
        }
        for name in nulls {
            guard names.insert(WireName(name)).inserted else { throw .usage("\(name) is set twice") }
            let field = try Self.field(name, of: entity, in: catalog)
            items.append(.value(PropertyValue(field.property, try Self.null(field, in: entity))))
        }
    }

    /// The values, in a transaction: files are stored, and references must lead to an object.
    func values(in transaction: WriteTransaction) throws -> [PropertyValue] {
        try items.compactMap { item in
            switch item {
            case .edge: return nil
            case .file(let property, let path):
                return PropertyValue(property, .blob(try transaction.ingest(Blob(contentsOf: path).content)))
            case .value(let value):
                if case .reference(let target) = value.value { try Self.check(target, value.property, in: transaction) }
                return value
            }
        }
    }

    /// Puts objects into many-to-many relationships of one, and takes them out.
    ///
    /// - Returns: whether anything changed.
    func link(_ id: ObjectID, in transaction: WriteTransaction) throws -> Bool {
        var isChanged = false
        for case .edge(let property, let other, let isPresent) in items {
            try Self.check(other, property, in: transaction)
            if try transaction.setEdge(id, property.name, other, isPresent: isPresent) { isChanged = true }
        }
        return isChanged
    }

    private static func check(_ target: ObjectID, _ property: Property, in transaction: WriteTransaction) throws {
        guard try transaction.row(target) == nil else { return }
        throw CommandError.failed("\(property.name): there is no object \(target) in this store")
    }

    /// The field that a name sets: of several columns the first, as predicates take it.
    private static func field(
        _ name: String, of entity: EntityDeclaration, in catalog: SchemaCatalog
    ) throws(CommandError) -> FieldDeclaration {
        let fields = try catalog.fields(name, of: entity)
        let set = fields.first { field in
            switch field.relationship?.storage {
            case .edges, .inverseEdges: true
            case .register, nil: field.property.type != .edges
            case .inverse: false
            }
        }
        if let set { return set }
        guard let relationship = fields[0].relationship, let inverse = relationship.inverse else {
            throw .failed("\(entity.name).\(name) holds many objects and cannot be set")
        }
        let target = relationship.target
        throw .failed("\(entity.name).\(name) is kept at the other end; set \(target).\(inverse) instead")
    }

    private static func item(
        _ argument: AssignmentArgument, _ field: FieldDeclaration, in entity: EntityDeclaration
    ) throws(CommandError) -> Item {
        let property = field.property
        if property.type == .edges { return try edge(argument.text, field, in: entity) }
        if property.type == .blob, argument.text.hasPrefix("@") {
            let path = String(argument.text.dropFirst())
            _ = try length(ofFile: path, for: "\(entity.name).\(property.name)")
            return .file(property, path: path)
        }
        if property.type != .string, argument.text == "null" {
            return .value(PropertyValue(property, try null(field, in: entity)))
        }
        return .value(PropertyValue(property, try value(argument.text, field, in: entity)))
    }

    /// Reads `+URI` or `-URI`.
    private static func edge(
        _ text: String, _ field: FieldDeclaration, in entity: EntityDeclaration
    ) throws(CommandError) -> Item {
        let name = "\(entity.name).\(field.property.name)"
        guard let sign = text.first, sign == "+" || sign == "-", let target = ObjectArgument(argument: String(text.dropFirst()))
        else {
            throw .failed(
                "\(name) holds many objects: put one in with +URI, take one out with -URI; '\(text)' is neither")
        }
        return .edge(field.property, try target.object(for: name, field), isPresent: sign == "+")
    }

    /// How many bytes a file has.
    ///
    /// A device or a pipe may never end, and the store would wait for it.
    private static func length(ofFile path: String, for name: String) throws(CommandError) -> UInt64 {
        let file = URL(filePath: path).resolvingSymlinksInPath().path
        guard let attributes = try? Environment.system.fileSystem.attributes(of: file) else {
            throw .failed("\(name): the file \(path) cannot be read")
        }
        guard !attributes.isDirectory, !attributes.isSpecial else {
            throw .failed("\(name): \(path) is no regular file but a device, a pipe or a directory; name a file")
        }
        return attributes.size
    }

    private static func null(_ field: FieldDeclaration, in entity: EntityDeclaration) throws(CommandError) -> Value {
        if field.property.type == .edges {
            throw .failed(
                "\(entity.name).\(field.property.name) holds many objects and cannot be null; take each out with -URI")
        }
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
            return .reference(try target.object(for: name, field))
        case .edges: throw .failed("\(name) holds many objects: put one in with +URI, take one out with -URI")
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
        let length = try length(ofFile: path, for: name)
        guard length <= longestData else {
            throw .failed(
                "\(name): the file \(path) has \(length) bytes, and data has at most \(longestData); keep more in a blob")
        }
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .failed("\(name): the file \(path) cannot be read")
        }
    }
}

extension ObjectArgument {
    /// The object, if it is of the entity that a relationship leads to.
    fileprivate func object(for name: String, _ field: FieldDeclaration) throws(CommandError) -> ObjectID {
        guard let wanted = field.relationship?.target, WireName(wanted) != WireName(entity) else { return id }
        throw .failed("\(name) refers to objects of \(wanted), not of \(entity)")
    }
}
