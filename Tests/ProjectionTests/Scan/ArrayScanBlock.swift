import EventLog
import Projection
import Simulation

/// A block of columns held in memory.
struct ArrayScanBlock: ScanBlock {
    let count: Int
    var excluded: [UInt64]?
    /// What numbers the texts of its columns.
    var pools: [Property: TextPool] = [:]
    private let objects: [ObjectID]
    private let columns: [Property: ColumnBlock]
    private let knownBounds: [Property: ColumnBounds]

    init(ids: [ObjectID], columns: [Property: ColumnBlock], bounds: [Property: ColumnBounds], excluded: [UInt64]? = nil) {
        count = ids.count
        objects = ids
        self.columns = columns
        knownBounds = bounds
        self.excluded = excluded
    }

    /// A block of rows, which must ascend; typed slots for the types that have them.
    init(_ rows: [SampleRow], properties: Set<Property>, excluded: [UInt64]? = nil) {
        var columns: [Property: ColumnBlock] = [:]
        var bounds: [Property: ColumnBounds] = [:]
        for property in properties {
            let values = rows.map { $0.values[property] }
            // A column of nulls alone is left out, as a column of nothing is.
            if values.allSatisfy({ $0 == nil || $0 == .null }) { continue }
            columns[property] = Self.column(property.type, values)
            bounds[property] = Self.bounds(values)
        }
        self.init(ids: rows.map(\.id), columns: columns, bounds: bounds, excluded: excluded)
    }

    func bounds(_ property: Property) -> ColumnBounds? { knownBounds[property] }
    func column(_ property: Property) throws -> ColumnBlock? { columns[property] }
    func texts(_ property: Property) throws -> PooledTexts? {
        guard let pool = pools[property], let column = columns[property], case .strings(let utf8, let ends) = column.slots
        else { return nil }
        var rows = RowSelection(noneOf: count)
        for row in 0..<count where column.cell(row) == .value { rows.insert(row) }
        return PooledTexts(pool: pool, codes: pool.codes(of: rows, utf8: utf8, ends: ends))
    }

    func ids() throws -> [ObjectID] { objects }
    var idBounds: ClosedRange<ObjectID>? {
        guard let first = objects.first, let last = objects.last else { return nil }
        return first...last
    }

    static func column(_ type: ValueType, _ values: [Value?]) -> ColumnBlock {
        let plain = ColumnBlock(type: type, values)
        let slots: ColumnBlock.Slots
        switch type {
        case .bool: slots = .bools(values.map { $0 == .bool(true) })
        case .int, .counter:
            slots = .ints(
                values.map {
                    switch $0 {
                    case .int(let number), .counter(let number): number
                    default: 77
                    }
                })
        case .double, .date:
            slots = .doubles(
                values.map {
                    switch $0 {
                    case .double(let number), .date(let number): number
                    default: 7.5
                    }
                })
        case .string:
            var utf8: [UInt8] = []
            var ends: [Int] = []
            for value in values {
                if case .string(let text) = value { utf8 += Array(text.utf8) } else { utf8 += Array("ab".utf8) }
                ends.append(utf8.count)
            }
            slots = .strings(utf8: utf8, ends: ends)
        default: return plain
        }
        // A column that counts as one of counters gives ints; those are kept as values.
        if type == .counter { return plain }
        return ColumnBlock(type: type, count: values.count, cells: plain.cells, slots: slots)
    }

    /// The closest bounds, those of long strings cut to four characters.
    static func bounds(_ values: [Value?]) -> ColumnBounds {
        let present = values.compactMap { $0 }.filter { $0 != .null }
        let hasNull = present.count < values.count
        guard present.allSatisfy({ ValueOrder.compare($0, $0) != nil }) else { return ColumnBounds(hasNull: hasNull) }
        let ordered = present.sorted { ValueOrder.sort($0, $1) < 0 }
        guard var low = ordered.first, var high = ordered.last else { return ColumnBounds(hasNull: hasNull) }
        if case .string(let text) = low { low = .string(String(text.unicodeScalars.prefix(4).map(Character.init))) }
        if case .string(let text) = high, text.utf8.count > 4 {
            high = .string(String(text.unicodeScalars.prefix(4).map(Character.init)) + "\u{10ffff}")
        }
        // A cut prefix may compose differently; such bounds are given up.
        if ValueOrder.sort(low, ordered[0]) > 0 || ValueOrder.sort(high, ordered[ordered.count - 1]) < 0 {
            return ColumnBounds(hasNull: hasNull)
        }
        return ColumnBounds(hasNull: hasNull, lowest: low, highest: high)
    }
}
