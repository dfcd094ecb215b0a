package import EventLog

/// An object as filters, sort orders and aggregates see it.
///
/// Adapters answer for one snapshot: the same question always gets the same answer.
package protocol RowReader {
    var id: ObjectID { get }
    /// The value of a column; null when it is null or absent. A reference whose object is deleted follows the delete rules, so
    /// that the answer is what the user sees.
    func value(of property: Property) -> Value
    /// The objects at the other end of a relationship, alive and visible ones only, each once; none or one for a to-one.
    func related(by name: String) -> [Self]
}

extension RowReader {
    /// The single value of a path that is not to-many; null when a step on the way leads nowhere.
    func value(at path: BoundPath) -> Value {
        if let property = path.ownColumn { return value(of: property) }
        if path.end == .count { return .int(Int64(ends(of: path.hops[...]).count)) }
        guard let row = ends(of: path.hops[...]).first else { return .null }
        return row.end(path.end)
    }

    /// Whether a to-many path has a value for which the condition holds.
    func containsValue(at path: BoundPath, where condition: (Value) -> Bool) -> Bool {
        ends(of: path.hops[...]).contains { condition($0.end(path.end)) }
    }

    private func end(_ end: BoundPath.End) -> Value {
        switch end {
        case .column(let property): value(of: property)
        case .object: .reference(id)
        case .count: .null
        }
    }

    /// The objects that the hops lead to.
    ///
    /// An object reached on two ways counts twice.
    private func ends(of hops: ArraySlice<BoundPath.Hop>) -> [Self] {
        guard let hop = hops.first else { return [self] }
        let next = related(by: hop.name)
        return hops.count == 1 ? next : next.flatMap { $0.ends(of: hops.dropFirst()) }
    }
}
