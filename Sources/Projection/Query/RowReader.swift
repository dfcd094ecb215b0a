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
        if path.end == .count {
            return .int(ends(of: path.hops).reduce(0) { Int64(clampingSum: $0, $1.ways) })
        }
        guard let row = ends(of: path.hops).first?.row else { return .null }
        return row.end(path.end)
    }

    /// Whether a to-many path has a value for which the condition holds.
    func containsValue(at path: BoundPath, where condition: (Value) -> Bool) -> Bool {
        ends(of: path.hops).contains { condition($0.row.end(path.end)) }
    }

    private func end(_ end: BoundPath.End) -> Value {
        switch end {
        case .column(let property): value(of: property)
        case .object: .reference(id)
        case .count: .null
        }
    }

    /// The objects that the hops lead to, each once, and on how many ways it is reached.
    ///
    /// So no hop looks at more objects than there are: the ways alone grow with the length of a path that goes to and fro.
    private func ends(of hops: [BoundPath.Hop]) -> [(row: Self, ways: Int64)] {
        guard let first = hops.first else { return [(self, 1)] }
        var found = related(by: first.name).map { (row: $0, ways: Int64(1)) }
        for hop in hops.dropFirst() {
            var next: [(row: Self, ways: Int64)] = []
            var places: [ObjectID: Int] = [:]
            for (row, ways) in found {
                for end in row.related(by: hop.name) {
                    if let place = places[end.id] {
                        next[place].ways = Int64(clampingSum: next[place].ways, ways)
                    } else {
                        places[end.id] = next.count
                        next.append((end, ways))
                    }
                }
            }
            found = next
        }
        return found
    }
}

extension Int64 {
    /// The sum of two numbers that are not negative, or the highest number there is.
    fileprivate init(clampingSum a: Int64, _ b: Int64) {
        let (sum, overflows) = a.addingReportingOverflow(b)
        self = overflows ? .max : sum
    }
}
