import Strandline

/// Which objects of an entity a batch command works on: `--where P` or `--all`, in some order, at most so many.
struct BatchSelection: Sendable {
    private let filter: Filter
    private let sort: [SortKey]
    private let limit: Int?

    /// Takes `--where`, `--all`, `--sort` and `--limit` from a command line.
    static func take(_ arguments: inout ArgumentReader) throws(CommandError) -> BatchSelection {
        let filter = try TextArguments.filter(try arguments.option("--where"))
        let isAll = try arguments.flag("--all")
        let sort = try TextArguments.sort(try arguments.option("--sort"))
        let limit = try arguments.option("--limit", as: UInt64.self)
        guard (filter != nil) != isAll else {
            throw .usage(isAll ? "--where and --all exclude each other" : "say which objects: --where PREDICATE, or --all")
        }
        return BatchSelection(filter: filter ?? .always(true), sort: sort ?? [], limit: limit.map { Int(clamping: $0) })
    }

    func ids(of entity: String, in transaction: WriteTransaction) throws -> [ObjectID] {
        try transaction.ids(of: entity, where: filter, sortedBy: sort, limit: limit)
    }
}
