import EventLog
import Projection

/// What a store is asked.
struct Question {
    enum Kind {
        case rows(sort: [SortKey], limit: Int?, offset: Int)
        case count
        case groups(keys: [PropertyPath], aggregates: [Aggregate])
    }

    let entity: String
    let filter: Filter
    let kind: Kind
}

extension Question: CustomStringConvertible {
    var description: String {
        let what =
            switch kind {
            case .rows(let sort, let limit, let offset):
                "rows by \(sort) limit \(limit.map { "\($0)" } ?? "none") offset \(offset)"
            case .count: "count"
            case .groups(let keys, let aggregates): "groups by \(keys) of \(aggregates)"
            }
        return "\(entity) where \(filter): \(what)"
    }
}
