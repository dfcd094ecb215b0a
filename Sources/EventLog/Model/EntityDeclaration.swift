/// What an origin declares of an entity, as it is kept in the log.
///
/// Declarations merge per field and per key: the highest (declared version, timestamp, replica) holds. Only what was logged
/// steers the fold, so that every replica folds alike whatever its program declares.
public struct EntityDeclaration: Hashable, Sendable {
    /// The wire name.
    public var name: String
    /// Declared by the program; raise it to make changed rules take effect everywhere.
    public var version: UInt32
    public var fields: [FieldDeclaration]
    /// The names of the properties of the unique key, empty without one.
    ///
    /// All must be set for a key to count.
    public var uniqueKey: [String]

    public init(name: String, version: UInt32 = 1, fields: [FieldDeclaration], uniqueKey: [String] = []) {
        self.name = name
        self.version = version
        self.fields = fields
        self.uniqueKey = uniqueKey
    }
}

/// A field of an entity, as it is kept in the log.
public struct FieldDeclaration: Hashable, Sendable {
    public var property: Property
    public var isOptional: Bool
    public var isIndexed: Bool
    public var relationship: Relationship?

    public init(_ property: Property, isOptional: Bool = false, isIndexed: Bool = false, relationship: Relationship? = nil) {
        self.property = property
        self.isOptional = isOptional
        self.isIndexed = isIndexed
        self.relationship = relationship
    }
}

/// How a field refers to objects of another entity.
public struct Relationship: Hashable, Sendable {
    /// What becomes of the objects at the other end when this object is deleted.
    public enum DeleteRule: UInt8, Hashable, Sendable {
        case nullify = 0, cascade = 1, deny = 2, noAction = 3
    }

    /// Where the relationship is kept.
    public enum Storage: UInt8, Hashable, Sendable {
        /// In this field's register, of type `reference`.
        case register = 0
        /// In the registers of the inverse to-one; this field is derived.
        case inverse = 1
        /// In edges that this field owns.
        case edges = 2
        /// In edges that the inverse field owns.
        case inverseEdges = 3
    }

    /// The wire name of the entity referred to.
    public var target: String
    /// The wire name of the field at the other end, if there is one.
    public var inverse: String?
    public var isToMany: Bool
    public var deleteRule: DeleteRule
    public var storage: Storage

    public init(target: String, inverse: String?, isToMany: Bool, deleteRule: DeleteRule, storage: Storage) {
        self.target = target
        self.inverse = inverse
        self.isToMany = isToMany
        self.deleteRule = deleteRule
        self.storage = storage
    }
}
