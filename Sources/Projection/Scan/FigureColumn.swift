// Invariants
// * `wholes` has an entry for each group; `others` too, or it is empty.
// * What a group has is in both together: integers in `wholes` until their sum would leave 64 bits, all else in `others`.

import EventLog

/// One figure of every group.
///
/// Nearly all figures are counts, sums and averages of integers. Those are kept in sixteen bytes a group, which stay in the
/// processor's cache for tens of thousands of groups, where an ``AggregateAccumulator`` takes over a hundred.
struct FigureColumn: Sendable {
    private struct Whole {
        var count: Int64 = 0
        var sum: Int64 = 0
    }

    let function: Aggregate.Function
    private var wholes: [Whole] = []
    private var others: [AggregateAccumulator] = []

    init(_ function: Aggregate.Function, groups: Int) {
        self.function = function
        open(groups)
    }

    /// Adds groups of which nothing is known, up to so many in all.
    mutating func open(_ count: Int) {
        wholes += repeatElement(Whole(), count: count - wholes.count)
        if !others.isEmpty { others += repeatElement(AggregateAccumulator(function), count: count - others.count) }
    }

    /// Takes note of an object, for a count.
    mutating func addObject(_ group: Int) { wholes[group].count += 1 }

    mutating func addObjects(_ rows: RowSelection, _ groups: [UInt32]) {
        rows.eachRow { wholes[Int(groups[$0])].count += 1 }
    }

    mutating func add(_ value: Value, to group: Int) {
        needOthers()
        others[group].add(value)
    }

    mutating func add(_ slots: [Int64], _ rows: RowSelection, _ groups: [UInt32]) {
        switch function {
        case .count: addObjects(rows, groups)
        case .sum, .avg: rows.eachRow { add(slots[$0], of: 1, to: Int(groups[$0])) }
        case .min, .max:
            needOthers()
            rows.eachRow { others[Int(groups[$0])].add(slots[$0]) }
        }
    }

    mutating func add(_ slots: [Double], _ rows: RowSelection, _ groups: [UInt32]) {
        needOthers()
        rows.eachRow { others[Int(groups[$0])].add(slots[$0]) }
    }

    /// Joins what another one of the same function has of later rows.
    ///
    /// - Parameter groups: the groups here of its groups.
    mutating func add(_ other: FigureColumn, as groups: [Int]) {
        for (theirs, group) in groups.enumerated() {
            let whole = other.wholes[theirs]
            add(whole.sum, of: whole.count, to: group)
        }
        if other.others.isEmpty { return }
        needOthers()
        for (theirs, group) in groups.enumerated() { others[group].add(other.others[theirs]) }
    }

    func result(_ group: Int) -> Value {
        let (sum, count) = (wholes[group].sum, wholes[group].count)
        if others.isEmpty {
            switch function {
            case .count: return .int(count)
            case .sum: return .int(sum)
            case .avg: return count == 0 ? .null : .double(Double(sum) / Double(count))
            case .min, .max: return .null
            }
        }
        var all = others[group]
        all.add(sum: sum, of: count)
        return all.result
    }

    @inline(__always)
    private mutating func add(_ number: Int64, of count: Int64, to group: Int) {
        let (sum, isTooMuch) = wholes[group].sum.addingReportingOverflow(number)
        if isTooMuch { return spill(number, of: count, of: group) }
        wholes[group].sum = sum
        wholes[group].count += count
    }

    /// Puts the sum of a group where there is more room.
    private mutating func spill(_ number: Int64, of count: Int64, of group: Int) {
        needOthers()
        others[group].add(sum: wholes[group].sum, of: wholes[group].count)
        others[group].add(sum: number, of: count)
        wholes[group] = Whole()
    }

    private mutating func needOthers() {
        if others.isEmpty { others = Array(repeating: AggregateAccumulator(function), count: wholes.count) }
    }
}
