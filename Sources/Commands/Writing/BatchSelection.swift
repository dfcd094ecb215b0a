import Strandline

/// Which objects of an entity a batch command works on: `--where P` or `--all`, in some order, at most so many.
struct BatchSelection: Sendable {
    /// What the filter was read from.
    let predicates: [String]
    private let filter: Filter
    private let sort: [SortKey]
    private let limit: Int?

    private init(predicates: [String], filter: Filter, sort: [SortKey], limit: Int?) {
        (self.predicates, self.filter, self.sort, self.limit) = (predicates, filter, sort, limit)
    }

    /// Takes `--where`, `--all`, `--sort` and `--limit` from a command line.
    static func take(_ arguments: inout ArgumentReader) throws(CommandError) -> BatchSelection {
        let text = try arguments.option("--where")
        let filter = try TextArguments.filter(text)
        let isAll = try arguments.flag("--all")
        let sort = try TextArguments.sort(try arguments.option("--sort"))
        let limit = try arguments.option("--limit", as: UInt64.self)
        guard (filter != nil) != isAll else {
            throw .usage(isAll ? "--where and --all exclude each other" : "say which objects: --where PREDICATE, or --all")
        }
        return BatchSelection(
            predicates: text.map { [$0] } ?? [], filter: filter ?? .always(true), sort: sort ?? [],
            limit: limit.map { Int(clamping: $0) })
    }

    func ids(of entity: String, in transaction: WriteTransaction) throws -> [ObjectID] {
        try transaction.ids(of: entity, where: filter, sortedBy: sort, limit: limit)
    }
}
