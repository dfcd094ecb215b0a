import EventLog
import Projection

// Sort orders and groups.
extension NaiveEvaluator {
    /// Null first, NaN after the other numbers; what is equal stays as it was created.
    func sorted(_ rows: [World.Row], by keys: [SortKey]) -> [World.Row] {
        let placed = rows.map { row in (row: row, values: keys.map { value($0.path, row) }) }
        return placed.sorted { a, b in
            for (index, key) in keys.enumerated() {
                let order = Self.place(a.values[index], b.values[index], key.options)
                if order != 0 { return key.ascending ? order < 0 : order > 0 }
            }
            return a.row.ordinal < b.row.ordinal
        }.map(\.row)
    }

    private static func place(_ a: Value, _ b: Value, _ options: TextOptions) -> Int {
        func rank(_ value: Value) -> Int {
            switch value {
            case .null: 0
            case .double(let number) where number.isNaN: 2
            default: 1
            }
        }
        let (first, second) = (rank(a), rank(b))
        if first != second || first != 1 { return first < second ? -1 : first > second ? 1 : 0 }
        return order(a, b, options) ?? 0
    }

    /// The groups in order; each key in the least spelling that its objects have.
    func groups(
        _ rows: [World.Row], by keys: [PropertyPath], _ aggregates: [Aggregate]
    ) -> [(keys: [Value], figures: [NaiveFigure])] {
        var groups: [(keys: [Value], rows: [World.Row])] = keys.isEmpty ? [([], [])] : []
        var places: [[SQLValue]: Int] = keys.isEmpty ? [[]: 0] : [:]
        for row in rows {
            let values = keys.map { value($0, row) }
            let key = values.map(form)
            if let place = places[key] {
                groups[place].rows.append(row)
                groups[place].keys = zip(groups[place].keys, values).map(Self.leastSpelling)
            } else {
                places[key] = groups.count
                groups.append((values, [row]))
            }
        }
        return groups.sorted { a, b in
            for (x, y) in zip(a.keys, b.keys) {
                let order = Self.place(x, y, [])
                if order != 0 { return order < 0 }
            }
            return false
        }.map { group in
            (
                group.keys,
                aggregates.map { aggregate in
                    NaiveFigure(
                        aggregate.function, of: aggregate.path.map { path in group.rows.map { value(path, $0) } },
                        rows: group.rows.count)
                }
            )
        }
    }

    /// Of two equal values that which is to be given: -0.0, the one whose bits or UTF-8 come first.
    static func leastSpelling(_ a: Value, _ b: Value) -> Value {
        switch (a, b) {
        case (.double(let first), .double(let second)), (.date(let first), .date(let second)):
            if first.sign != second.sign { return first.sign == .minus ? a : b }
            return first.bitPattern <= second.bitPattern ? a : b
        case (.string(let first), .string(let second)):
            return Array(second.utf8).lexicographicallyPrecedes(Array(first.utf8)) ? b : a
        default: return a
        }
    }

    /// The same for values that are equal, NaN for NaN.
    private func form(_ value: Value) -> SQLValue {
        switch value {
        case .double(let number) where number.isNaN: .text("NaN")
        case .date(let number) where number.isNaN: .text("NaN")
        default: SQLValue(value, ordinal: world.ordinal)
        }
    }
}
