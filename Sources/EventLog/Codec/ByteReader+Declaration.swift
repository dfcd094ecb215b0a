import Storage

// Schema records: SPEC.md, 3.4.
extension ByteWriter {
    mutating func declaration(_ declaration: EntityDeclaration) throws(ChangeRefused) {
        let names =
            [declaration.name] + declaration.uniqueKey
            + declaration.fields.flatMap { field in
                [field.property.name, field.relationship?.target ?? "", field.relationship?.inverse ?? ""]
            }
        for name in names where name.utf8.count > TransactionFormat.maximumName {
            throw ChangeRefused(
                .tooLarge(size: name.utf8.count, limit: TransactionFormat.maximumName), "a name of \(declaration.name)")
        }
        string(declaration.name)
        varint(UInt64(declaration.version))
        count(declaration.uniqueKey.count)
        for name in declaration.uniqueKey { string(name) }
        count(declaration.fields.count)
        for field in declaration.fields {
            var body = ByteWriter()
            body.field(field)
            count(body.count)
            raw(body.bytes)
        }
    }

    private mutating func field(_ field: FieldDeclaration) {
        typealias Flag = TransactionFormat.FieldFlag
        string(field.property.name)
        u8(field.property.type.rawValue)
        u8(
            (field.isOptional ? Flag.optional : 0) | (field.isIndexed ? Flag.indexed : 0)
                | (field.relationship == nil ? 0 : Flag.relationship))
        guard let relationship = field.relationship else { return }
        string(relationship.target)
        string(relationship.inverse ?? "")
        u8(relationship.isToMany ? TransactionFormat.RelationshipFlag.toMany : 0)
        u8(relationship.deleteRule.rawValue)
        u8(relationship.storage.rawValue)
    }
}

extension ByteReader {
    mutating func declaration() throws(StorageError) -> EntityDeclaration {
        let name = try name()
        let start = position
        guard let version = UInt32(exactly: try varint()) else {
            throw .malformed("a schema version over 32 bits", offset: UInt64(start))
        }
        var key: [String] = []
        for _ in 0..<(try count(max: remaining)) { key.append(try self.name()) }
        var fields: [FieldDeclaration] = []
        for _ in 0..<(try count(max: remaining, minimumSize: 4)) {
            // What a newer version appends to a field is skipped.
            var body = try subReader(try count(max: remaining))
            fields.append(try body.field())
        }
        return EntityDeclaration(name: name, version: version, fields: fields, uniqueKey: key)
    }

    private mutating func field() throws(StorageError) -> FieldDeclaration {
        typealias Flag = TransactionFormat.FieldFlag
        let property = try property()
        let start = position
        let flags = try u8()
        guard flags & ~(Flag.optional | Flag.indexed | Flag.relationship) == 0 else {
            throw .newerVersion("a field with flags \(flags)", offset: UInt64(start))
        }
        return FieldDeclaration(
            property, isOptional: flags & Flag.optional != 0, isIndexed: flags & Flag.indexed != 0,
            relationship: flags & Flag.relationship == 0 ? nil : try relationship())
    }

    private mutating func relationship() throws(StorageError) -> Relationship {
        let target = try name()
        let inverse = try name()
        let start = position
        let flags = try u8()
        let rule = try u8()
        let storage = try u8()
        guard flags & ~TransactionFormat.RelationshipFlag.toMany == 0, let rule = Relationship.DeleteRule(rawValue: rule),
            let storage = Relationship.Storage(rawValue: storage)
        else {
            throw .newerVersion("a relationship of an unknown form", offset: UInt64(start))
        }
        return Relationship(
            target: target, inverse: inverse.isEmpty ? nil : inverse,
            isToMany: flags & TransactionFormat.RelationshipFlag.toMany != 0, deleteRule: rule, storage: storage)
    }

    mutating func name() throws(StorageError) -> String { try string(max: TransactionFormat.maximumName) }

    /// A name and a type.
    mutating func property() throws(StorageError) -> Property {
        let name = try name()
        let start = position
        let raw = try u8()
        if let type = ValueType(rawValue: raw) { return Property(name, type) }
        if raw == 0 { throw .malformed("a column of type 0", offset: UInt64(start)) }
        throw .newerVersion("a column of type \(raw)", offset: UInt64(start))
    }
}
