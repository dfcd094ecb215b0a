import EventLog
public import Projection

/// How a fetch was answered: what of the store it had to look at.
///
/// ```swift
/// print(try store.explain(Post.where { $0.views > 500 }.sorted(by: \.title)))
/// ```
///
/// ```
/// Post: 9 objects found by a scan of columns
///   filter   views > 500
///   order    title
///   blocks   12 read, 233 passed over by what is known of their columns
///   columns  title, views; 24 read in blocks
///   rows     49152 tested by columns, 17 one by one: 12 in memory, 5 irregular
/// ```
public struct FetchExplanation: Hashable, Sendable {
    /// How the objects were come by.
    public enum Access: Hashable, Sendable {
        /// By going through the columns of all objects of the entity.
        case scan
        /// By an id that the filter names.
        case id
        /// By the unique key, whose properties the filter all gives.
        case uniqueKey([String])
        /// By what they refer to through a property, which the filter names.
        case reference(String)
    }

    public let entity: String
    public let access: Access
    public let filter: Filter
    public let order: [SortKey]
    /// How many objects it gives.
    public let found: Int
    /// Some thousand rows each, of which a column was read.
    public let blocksRead: Int
    /// Those passed over without reading, because what is known of their columns rules them out.
    public let blocksSkipped: Int
    /// The properties of the entity itself that filter and order look at, ascending.
    public let columns: [String]
    /// How many columns of blocks were read, the ids of a block among them.
    public let columnsRead: Int
    /// Rows of blocks whose columns were tested.
    public let rowsInBlocks: Int
    /// Objects looked at one by one because they are in memory still, changed since runs were last written.
    public let rowsInMemory: Int
    /// Objects looked at one by one because how they read depends on others: one with another by their key, or with references to
    /// what was deleted.
    ///
    /// Those that were found without a scan are counted here, or among the ones in memory.
    public let rowsIrregular: Int
}

extension FetchExplanation: CustomStringConvertible {
    /// Some lines for people; they may change.
    public var description: String {
        var lines = ["\(entity): \(found) \(found == 1 ? "object" : "objects") found \(way)"]
        lines.append("  filter   \(filter)")
        if !order.isEmpty { lines.append("  order    \(order.map(\.description).joined(separator: ","))") }
        if access == .scan {
            lines.append("  blocks   \(blocksRead) read, \(blocksSkipped) passed over by what is known of their columns")
            lines.append(
                "  columns  \(columns.isEmpty ? "none" : columns.joined(separator: ", ")); \(columnsRead) read in blocks")
        }
        let single = "\(rowsInMemory + rowsIrregular) one by one: \(rowsInMemory) in memory, \(rowsIrregular) "
        let others = access == .scan ? "irregular" : "elsewhere"
        lines.append("  rows     \(rowsInBlocks) tested by columns, \(single)\(others)")
        return lines.joined(separator: "\n")
    }

    private var way: String {
        switch access {
        case .scan: "by a scan of columns"
        case .id: "by id"
        case .uniqueKey(let names): "by unique key (\(names.joined(separator: ", ")))"
        case .reference(let name): "by reference (\(name))"
        }
    }
}

extension StateReader {
    func explain(_ request: FetchDescription) throws(StoreError) -> FetchExplanation {
        let found = try find(request)
        let statistics = found.statistics
        let columns: Set<Property>
        // It was compiled once already.
        do { columns = try CompiledFilter(found.fetch.filter).columns } catch { throw StoreError(error) }
        let inMemory = found.source.rows.count { state.objects.isInMemory($0.id) || state.objects.base == nil }
        return FetchExplanation(
            entity: request.entity, access: FetchExplanation.Access(found.access), filter: request.filter, order: request.sort,
            found: found.ids.count, blocksRead: statistics.blocks - statistics.blocksSkipped,
            blocksSkipped: statistics.blocksSkipped,
            columns: Set(columns.union(found.fetch.order.columns).map(\.name)).sorted(), columnsRead: statistics.columnsRead,
            rowsInBlocks: statistics.rowsTested - found.source.rows.count, rowsInMemory: inMemory,
            rowsIrregular: found.source.rows.count - inMemory)
    }
}

extension FetchExplanation.Access {
    fileprivate init(_ access: PointAccess?) {
        switch access {
        case nil: self = .scan
        case .id: self = .id
        case .key(let names): self = .uniqueKey(names)
        case .reference(let property): self = .reference(property.name)
        }
    }
}

extension Store {
    /// Fetches, and tells how: what of the store had to be looked at.
    ///
    /// - Throws: as ``fetch(_:)-(FetchRequest<Root>)``.
    public func explain<Root: Entity>(_ request: FetchRequest<Root>) throws -> FetchExplanation {
        try engine.read { try $0.explain(request.description) }
    }
}

extension Snapshot {
    /// See ``Store/explain(_:)``.
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `busy`.
    public func explain<Root: Entity>(_ request: FetchRequest<Root>) throws -> FetchExplanation {
        try answer { try $0.explain(request.description) }
    }

    /// The same without Swift types.
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `busy`.
    public func explain(
        of entity: String, where filter: Filter = .always(true), sortedBy sort: [SortKey] = [], limit: Int? = nil,
        offset: Int = 0
    ) throws -> FetchExplanation {
        let request = FetchDescription(entity: entity, filter: filter, sort: sort, limit: limit, offset: offset)
        return try answer { try $0.explain(request) }
    }
}
