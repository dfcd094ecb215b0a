import Projection

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

    /// Assigns the tuples of stretches of a block to where they go.
    /// - Parameter column: the column of a property; nil when the block has nothing of it.
    func read(
        _ stretches: [RowStretch], into tuples: inout [(repeat each V)], _ column: (Property) throws -> ColumnBlock?
    ) rethrows {
        let columns = (repeat try (each readers).reader(column((each readers).property)))
        for stretch in stretches {
            for offset in 0..<stretch.count {
                let row = Int(stretch.row + offset)
                tuples[Int(stretch.place + offset)] = (repeat (each columns)(row))
            }
        }
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

    /// What each row of a block reads as.
    func reader(_ column: ColumnBlock?) -> (Int) -> V {
        let defaultValue = defaultValue
        guard let column else { return { _ in defaultValue } }
        if let type = V.self as? any BlockStorable.Type { return byBlocks(type, column) }
        return { row in column.value(row).flatMap { V(storedValue: $0) } ?? defaultValue }
    }

    private func byBlocks<B: BlockStorable>(_: B.Type, _ column: ColumnBlock) -> (Int) -> V {
        let defaultValue = defaultValue
        let read = B.reader(column)
        guard let typed = read as? (Int) -> V? else { return { row in self.read(column.value(row)) } }
        return { row in typed(row) ?? defaultValue }
    }
}
