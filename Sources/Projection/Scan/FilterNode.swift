import EventLog

/// A part of a filter over blocks.
indirect enum FilterNode {
    case always(Bool)
    case column(Property, ColumnTest)
    case pair(ColumnPair)
    /// What is asked of rows one by one: paths over relationships, arithmetic, columns of other types.
    case rows(CompiledFilter, RowNeeds)
    /// The cheapest first.
    case and([FilterNode]), or([FilterNode]), not(FilterNode)
}

// What is known before anything is read.
extension FilterNode {
    init(_ filter: CompiledFilter, _ unresolved: Set<Property>) {
        switch filter {
        case .always(let holds): self = .always(holds)
        case .column(let property, let test) where !unresolved.contains(property): self = .column(property, test)
        case .column, .path, .general:
            if case .general(let comparison) = filter, let pair = ColumnPair(comparison, unresolved) {
                self = .pair(pair)
                return
            }
            var needs = RowNeeds(unresolved: unresolved)
            filter.forEachPath { needs.add($0) }
            self = .rows(filter, needs)
        case .and(let filters): self = .and(filters.map { Self($0, unresolved) }.cheapestFirst)
        case .or(let filters): self = .or(filters.map { Self($0, unresolved) }.cheapestFirst)
        case .not(let filter): self = .not(Self(filter, unresolved))
        }
    }

    var asksRow: Bool {
        switch self {
        case .always, .column, .pair: false
        case .rows(_, let needs): needs.asksRow
        case .and(let nodes), .or(let nodes): nodes.contains(where: \.asksRow)
        case .not(let node): node.asksRow
        }
    }

    /// What it costs about, per row, in nanoseconds.
    fileprivate var cost: Int {
        switch self {
        case .always: 0
        case .column(let property, let test): test.cost(of: property.type)
        case .pair: 3
        case .rows(_, let needs): needs.asksRow ? 2_000 : 200
        case .and(let nodes), .or(let nodes): nodes.reduce(0) { $0 + $1.cost }
        case .not(let node): node.cost
        }
    }

    /// The same for the rows of one block, of which bounds decide some of it.
    func reduced(_ bounds: (Property) -> ColumnBounds?) -> Self {
        switch self {
        case .always, .pair, .rows: return self
        case .column(let property, let test):
            switch test.answer(bounds(property)) {
            case .none: return .always(false)
            case .all: return .always(true)
            case .some: return self
            }
        case .not(let node):
            let node = node.reduced(bounds)
            if case .always(let holds) = node { return .always(!holds) }
            return .not(node)
        case .and(let nodes): return Self.joined(nodes, bounds, deciding: false, Self.and)
        case .or(let nodes): return Self.joined(nodes, bounds, deciding: true, Self.or)
        }
    }

    /// - Parameter deciding: what one part must be to decide the whole.
    private static func joined(
        _ nodes: [Self], _ bounds: (Property) -> ColumnBounds?, deciding: Bool, _ join: ([Self]) -> Self
    ) -> Self {
        var open: [Self] = []
        for node in nodes {
            let node = node.reduced(bounds)
            guard case .always(let holds) = node else {
                open.append(node)
                continue
            }
            if holds == deciding { return node }
        }
        return open.isEmpty ? .always(!deciding) : open.count == 1 ? open[0] : join(open)
    }
}

extension FilterNode {
    /// The rows, among some, that it selects; columns are read only while rows are left.
    func select<Block: ScanBlock, Row: RowReader>(
        among rows: RowSelection, in columns: BlockColumns<Block>, row: @escaping (ObjectID) -> Row?,
        statistics: inout ScanStatistics
    ) throws -> RowSelection {
        if rows.isEmpty { return rows }
        switch self {
        case .always(let holds): return holds ? rows : RowSelection(noneOf: rows.rowCount)
        case .column(let property, let test):
            guard let column = try columns.column(property) else {
                return test.matches(.null) ? rows : RowSelection(noneOf: rows.rowCount)
            }
            return test.select(column, among: rows)
        case .pair(let pair):
            return pair.select(try columns.column(pair.left), try columns.column(pair.right), among: rows)
        case .rows(let filter, let needs):
            let cells = try columns.cells(for: needs, row: row)
            statistics.rowsOneByOne += rows.count
            return rows.filter { filter.matches(BlockRow.block(cells, $0)) }
        case .not(let node):
            var result = rows
            result.subtract(try node.select(among: rows, in: columns, row: row, statistics: &statistics))
            return result
        case .and(let nodes):
            return try nodes.reduce(rows) {
                try $1.select(among: $0, in: columns, row: row, statistics: &statistics)
            }
        case .or(let nodes):
            var rest = rows
            for node in nodes {
                rest.subtract(try node.select(among: rest, in: columns, row: row, statistics: &statistics))
            }
            var result = rows
            result.subtract(rest)
            return result
        }
    }
}

extension [FilterNode] {
    fileprivate var cheapestFirst: [FilterNode] {
        map { (node: $0, cost: $0.cost) }.sorted { $0.cost < $1.cost }.map(\.node)
    }
}

extension ColumnTest {
    fileprivate func cost(of type: ValueType) -> Int {
        switch type {
        case .bool, .int, .counter, .double, .date: if case .among(let keys, _) = self, keys.count > 8 { 50 } else { 1 }
        case .string:
            switch self {
            case .never: 0
            case .compare: 1
            case .between: 150
            case .among(let keys, let options): options.isEmpty && keys.count <= 8 ? 5 * keys.count : 150
            case .text(let test): test.ofBytes == nil ? 500 : test.comparator == .contains ? 15 : 5
            }
        default: 50
        }
    }
}
