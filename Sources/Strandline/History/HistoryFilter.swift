public import EventLog
import Projection

/// Which transactions, and which of their changes, history gives.
///
/// Names and authors are compared by their UTF-8 bytes.
///
/// ```swift
/// for try await transaction in store.history(after: token, HistoryFilter(entity: "Post", author: "app")) { … }
/// ```
public struct HistoryFilter: Hashable, Sendable {
    /// Changes of objects of this entity, by wire name.
    public var entity: String?
    /// Changes of this object.
    public var object: ObjectID?
    /// Changes that set this property, by wire name.
    public var property: String?
    /// Transactions of this author.
    public var author: String?
    /// Transactions stamped at or after, and before, a time in milliseconds since 1970.
    public var since: UInt64?
    public var until: UInt64?

    public init(
        entity: String? = nil, object: ObjectID? = nil, property: String? = nil, author: String? = nil, since: UInt64? = nil,
        until: UInt64? = nil
    ) {
        self.entity = entity
        self.object = object
        self.property = property
        self.author = author
        self.since = since
        self.until = until
    }

    /// What the filter leaves of a transaction; nil when that is nothing.
    func apply(to transaction: Transaction) -> Transaction? {
        let header = transaction.header
        let milliseconds = header.timestamp.milliseconds
        if let author, WireName(author) != WireName(header.author) { return nil }
        if let since, milliseconds < since { return nil }
        if let until, milliseconds >= until { return nil }
        guard entity != nil || object != nil || property != nil else { return transaction }
        let changes = transaction.changes.filter(isWanted)
        return changes.isEmpty ? nil : Transaction(header: header, changes: changes)
    }

    private func isWanted(_ change: Change) -> Bool {
        if let entity, change.entity.map({ WireName($0) }) != WireName(entity) { return false }
        if let object, change.object != object { return false }
        guard let property else { return true }
        func isWanted(_ other: Property) -> Bool { WireName(other.name) == WireName(property) }
        return switch change {
        case .insert(_, _, let values), .delete(_, _, _, let values), .restore(_, _, _, let values):
            values.contains { isWanted($0.property) }
        case .update(_, _, _, let assignments): assignments.contains { isWanted($0.property) }
        case .edge(_, _, let edge, _, _, _): isWanted(edge)
        case .increment(_, _, _, let counter, _, _): isWanted(counter)
        case .schema, .rename, .undo, .unknown: false
        }
    }
}
