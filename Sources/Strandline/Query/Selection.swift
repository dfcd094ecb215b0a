/// A ``FetchRequest`` for some properties of each object, as tuples.
public struct Selection<Root: Entity, each V: Storable>: Sendable {
    /// Which objects, in which order, how many.
    public let request: FetchRequest<Root>
    /// The properties to read, in the order of the tuple.
    package let properties: [Property]

    private let readers: (repeat SelectedProperty<each V>)

    init(_ request: FetchRequest<Root>, _ keyPaths: repeat KeyPath<Root, each V>) {
        let defaults = Root()
        let schema = Root.schema.description
        let readers = (repeat SelectedProperty(schema.wireName(of: each keyPaths), defaults[keyPath: each keyPaths]))
        var properties: [Property] = []
        for reader in repeat each readers { properties.append(reader.property) }
        self.request = request
        self.properties = properties
        self.readers = readers
    }

    /// The tuple of an object.
    /// - Parameter value: the stored value of a property; nil when it is absent, which gives the default.
    /// - Returns: the values, in the order of the key paths.
    package func tuple(_ value: (Property) -> Value?) -> (repeat each V) {
        (repeat (each readers).read(value((each readers).property)))
    }
}

/// A property of a ``Selection``, with what it reads as where a row has no value that it knows.
struct SelectedProperty<V: Storable>: Sendable {
    let property: Property
    private let defaultValue: V

    init(_ name: String, _ defaultValue: V) {
        property = Property(name, V.valueType)
        self.defaultValue = defaultValue
    }

    func read(_ value: Value?) -> V { value.flatMap { V(storedValue: $0) } ?? defaultValue }
}
