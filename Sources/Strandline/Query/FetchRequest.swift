public import Projection

/// Which objects of an entity to fetch, in which order, and how many: a value that does nothing until a store is given it.
///
/// ```swift
/// let recent = try store.fetch(Post.where { $0.views > 500 }.sorted(by: \.title).limit(10))
/// ```
public struct FetchRequest<Root: Entity>: Hashable, Sendable {
    /// Which objects; `.always(true)` for all.
    public var filter: Filter
    /// The order, most significant first; objects that are equal in all of it, and all without any, come in order of ids.
    public var sortKeys: [SortKey] = []
    /// At most how many objects; nil for any number.
    public var limit: Int?
    /// How many objects to leave out at the start.
    public var offset = 0

    /// All objects that a filter holds for, such as one read from text.
    public init(_ filter: Filter = .always(true)) { self.filter = filter }

    /// Only objects that this predicate holds for too.
    public func `where`(_ predicate: (RootExpression<Root>) -> Filter) -> Self {
        let condition = predicate(RootExpression())
        return changed { $0.filter = filter == .always(true) ? condition : filter && condition }
    }

    /// Ordered by a property, after the ones it is ordered by already.
    ///
    /// Values order as they are stored; nil comes before all others.
    public func sorted<V: Storable>(by keyPath: KeyPath<Root, V>, _ direction: SortDirection = .ascending) -> Self {
        let key = SortKey(PropertyPath([Root.schema.description.wireName(of: keyPath)]), ascending: direction == .ascending)
        return changed { $0.sortKeys.append(key) }
    }

    /// Ordered by a text, after what it is ordered by already, as people look for names: `Zebra` after `apple`, `École` beside `ecole`.
    ///
    /// Texts are compared without case (Unicode's full case folding) and without accents first; those that are alike then come in
    /// the order of the texts as they are: by the scalars of their canonical composition. No locale plays a part, so the order is
    /// the same on every machine and in every process. Nil comes before all others.
    public func sortedAsText<V: TextStorable>(by keyPath: KeyPath<Root, V>, _ direction: SortDirection = .ascending) -> Self {
        let path = PropertyPath([Root.schema.description.wireName(of: keyPath)])
        let ascending = direction == .ascending
        return changed {
            $0.sortKeys.append(SortKey(path, ascending: ascending, options: [.caseInsensitive, .diacriticInsensitive]))
            $0.sortKeys.append(SortKey(path, ascending: ascending))
        }
    }

    /// At most the given number of objects; traps when it is negative.
    public func limit(_ count: Int) -> Self {
        precondition(count >= 0, "a limit cannot be negative")
        return changed { $0.limit = count }
    }

    /// Without the first objects, of the given number; traps when it is negative.
    public func offset(_ count: Int) -> Self {
        precondition(count >= 0, "an offset cannot be negative")
        return changed { $0.offset = count }
    }

    /// Only some properties of each object, as tuples: `Post.all.select(\.title, \.views)` gives `[(String, Int)]`.
    public func select<each V: Storable>(_ keyPaths: repeat KeyPath<Root, each V>) -> Selection<Root, repeat each V> {
        Selection(self, repeat each keyPaths)
    }

    /// The request without the entity's type.
    package var description: FetchDescription {
        FetchDescription(entity: Root.schema.description.name, filter: filter, sort: sortKeys, limit: limit, offset: offset)
    }

    private func changed(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Entity {
    /// A request for all objects.
    public static var all: FetchRequest<Self> { FetchRequest() }

    /// A request for the objects that a predicate holds for: `Post.where { $0.views > 500 }`.
    public static func `where`(_ predicate: (RootExpression<Self>) -> Filter) -> FetchRequest<Self> { all.where(predicate) }
}
