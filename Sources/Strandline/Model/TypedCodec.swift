/// Translates objects of one entity to and from stored values.
///
/// Made once for a store; holds no state.
///
/// Registers, counters and blobs travel as values by property. A relationship that is kept elsewhere, to one or to many, travels as
/// ``LinkEdit``s on the way in, and as a list of ids on the way out.
package struct TypedCodec<Root: Entity>: Sendable {
    package let declaration: EntityDeclaration
    let columns: [TypedColumn]

    /// Nil when `Root` is not of the set, or has a property that is not stored; see ``SchemaSet/problems``.
    package init?(_ set: SchemaSet) {
        guard let (declaration, columns) = set.entity(ObjectIdentifier(Root.self)) else { return nil }
        self.declaration = declaration
        self.columns = columns
    }

    /// What inserting an object as `object` sets: every register it has, nulls included, and its relationships.
    /// - Throws: what `blobs` throws, and `EncodingError` from a `codable:` property.
    package func insertion(of root: Root, as object: ObjectID, blobs: any BlobIngest) throws -> ObjectChanges {
        try withRawRow(reading: root) { row in
            var changes = ObjectChanges()
            for column in columns { try column.insert(row, as: object, blobs, into: &changes) }
            return changes
        }
    }

    /// What turns `old`, as stored, into `new`: only what would be stored differently.
    ///
    /// The `id`s play no part.
    /// - Throws: what `blobs` throws, and `EncodingError` from a `codable:` property.
    package func changes(from old: Root, to new: Root, as object: ObjectID, blobs: any BlobIngest) throws -> ObjectChanges {
        try withRawRow(reading: old) { before in
            try withRawRow(reading: new) { after in
                var changes = ObjectChanges()
                for column in columns { try column.compare(before, after, as: object, blobs, into: &changes) }
                return changes
            }
        }
    }

    /// An object from stored values.
    /// - Parameters:
    ///   - object: its id.
    ///   - source: where the object's blobs are read from.
    ///   - value: the value of a property; nil when it is absent, which leaves the default. So does one of another type, or one
    ///     that this version of the app does not know.
    ///   - targets: the ids of a relationship that is kept elsewhere, in any order.
    /// - Returns: the object, with what was not given at its default.
    package func decode(
        _ object: ObjectID, source: (any BlobSource)?, value: (Property) -> Value?, targets: (FieldDeclaration) -> [ObjectID]
    ) -> Root {
        var root = Root()
        root.id = EntityID(object)
        withRawRow(writing: &root) { row in
            for column in columns { column.decode(into: row, source, value, targets) }
        }
        return root
    }
}
