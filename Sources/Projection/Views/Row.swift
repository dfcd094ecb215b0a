public import EventLog

/// An object as it reads after a merge, without its Swift type.
public struct Row: Hashable, Sendable {
    /// A property with what it reads as.
    public struct Field: Hashable, Sendable {
        public let property: Property
        public let value: ResolvedValue

        package init(_ property: Property, _ value: ResolvedValue) {
            self.property = property
            self.value = value
        }
    }

    public let id: ObjectID
    /// The entity's wire name.
    public let entity: String
    /// Ascending by property.
    ///
    /// A property that was never set is not among them.
    public let fields: [Field]

    package init(id: ObjectID, entity: String, fields: [Field]) {
        self.id = id
        self.entity = entity
        self.fields = fields
    }

    /// What a property reads as; nil when it was never set.
    public subscript(property: Property) -> ResolvedValue? { fields.first { $0.property == property }?.value }
}

/// A value, with references resolved.
///
/// A counter is its sum.
public enum ResolvedValue: Hashable, Sendable {
    case value(Value)
    case reference(ResolvedReference)
}
