/// A column of an entity: wire name and type.
///
/// One name with two types is two columns.
public struct Property: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The wire name, which stays when the Swift name changes.
    public let name: String
    public let type: ValueType

    public init(_ name: String, _ type: ValueType) {
        self.name = name
        self.type = type
    }

    /// Names compare by their UTF-8 bytes, so that order does not depend on a Unicode version.
    public static func < (a: Property, b: Property) -> Bool {
        a.name.hasBytes(of: b.name)
            ? a.type.rawValue < b.type.rawValue : a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
    }

    public static func == (a: Property, b: Property) -> Bool {
        a.type == b.type && a.name.hasBytes(of: b.name)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(type)
    }

    public var description: String { "\(name): \(type)" }
}

/// A property with a value.
public struct PropertyValue: Hashable, Sendable {
    public let property: Property
    public let value: Value

    public init(_ property: Property, _ value: Value) {
        self.property = property
        self.value = value
    }
}

/// What an update sets: the new value, and what the writer saw there before.
public struct Assignment: Hashable, Sendable {
    public let property: Property
    public let new: Value
    /// The value the writer saw; nil when the property was absent, which is not null.
    public let old: Value?
    /// The write that gave the old value; nil when the property was absent.
    public let overwrote: Stamp?

    public init(_ property: Property, new: Value, old: Value?, overwrote: Stamp?) {
        self.property = property
        self.new = new
        self.old = old
        self.overwrote = overwrote
    }
}
