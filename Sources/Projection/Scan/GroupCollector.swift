// Invariants
// * `keys[g]` are the keys of group g; every list of `figures` has one accumulator per group.
// * With keys, groups are numbered as `combinations.last`, or else the only key's `codes`, number them.

import EventLog

/// The groups found so far in some of the blocks.
struct GroupCollector: Sendable {
    private let paths: [BoundPath]
    private let aggregates: [GroupedFetch.Figure]
    private let unresolved: Set<Property>
    private var codes: [KeyCodes]
    /// Of the second key and on: a number for the pair of the number so far and the key's own.
    private var combinations: [CodeTable]
    private var keys: [[Value]]
    private var figures: [[AggregateAccumulator]]
    /// The group of each row of a block; kept to be used again.
    private var groupOfRow: [UInt32] = []
    var statistics = ScanStatistics()

    init(_ fetch: GroupedFetch, unresolved: Set<Property>) {
        paths = fetch.keys
        aggregates = fetch.aggregates
        self.unresolved = unresolved
        codes = fetch.keys.map { _ in KeyCodes() }
        combinations = fetch.keys.dropFirst().map { _ in CodeTable() }
        keys = fetch.keys.isEmpty ? [[]] : []
        figures = fetch.aggregates.map { fetch.keys.isEmpty ? [AggregateAccumulator($0.function)] : [] }
    }

    /// What blocks must have at hand for its paths.
    static func needs(_ fetch: GroupedFetch, unresolved: Set<Property>) -> RowNeeds {
        var needs = RowNeeds(unresolved: unresolved)
        for path in fetch.keys + fetch.aggregates.compactMap(\.path) { needs.add(path) }
        return needs
    }

    var groups: [GroupedFetch.Group] {
        keys.indices.map { group in
            GroupedFetch.Group(keys: keys[group], values: figures.map { $0[group].result })
        }
    }

    mutating func add(_ row: some RowReader) {
        let group = group(of: paths.map { row.value(at: $0) })
        for (index, aggregate) in aggregates.enumerated() {
            if let path = aggregate.path {
                figures[index][group].add(row.value(at: path))
            } else {
                figures[index][group].addObject()
            }
        }
    }

    /// Joins what another collector found in later blocks.
    mutating func add(_ other: GroupCollector) {
        for (index, values) in other.keys.enumerated() {
            let group = group(of: values)
            for figure in figures.indices { figures[figure][group].add(other.figures[figure][index]) }
        }
        statistics += other.statistics
    }

    /// Adds the rows of a block that are selected.
    ///
    /// - Throws: what reading a column throws.
    mutating func add<Block: ScanBlock, Row: RowReader>(
        _ rows: RowSelection, of columns: BlockColumns<Block>, row: @escaping (ObjectID) -> Row?
    ) throws {
        if rows.isEmpty { return }
        groupOfRow = Array(repeating: 0, count: rows.rowCount)
        for (index, path) in paths.enumerated() { try number(rows, by: path, index, of: columns, row: row) }
        for (index, aggregate) in aggregates.enumerated() {
            try add(rows, to: index, aggregate, of: columns, row: row)
        }
    }

    /// The group of some keys, a new one if need be.
    private mutating func group(of values: [Value]) -> Int {
        var code: UInt32 = 0
        for (index, value) in values.enumerated() {
            let own = codes[index].code(of: value)
            code = index == 0 ? own : combined(code, own, index)
        }
        if Int(code) == keys.count { open(values) }
        return Int(code)
    }

    private mutating func combined(_ code: UInt32, _ own: UInt32, _ index: Int) -> UInt32 {
        combinations[index - 1].combined(code, own)
    }

    private mutating func open(_ values: [Value]) {
        keys.append(values)
        for index in aggregates.indices { figures[index].append(AggregateAccumulator(aggregates[index].function)) }
    }

    /// Puts one more key into the numbers of some rows; after the last key they are the rows' groups.
    private mutating func number<Block: ScanBlock, Row: RowReader>(
        _ rows: RowSelection, by path: BoundPath, _ index: Int, of columns: BlockColumns<Block>,
        row: @escaping (ObjectID) -> Row?
    ) throws {
        var numbers = groupOfRow
        groupOfRow = []
        if let property = path.ownColumn, !unresolved.contains(property) {
            let column = try columns.column(property)
            if index == 0 {
                codes[0].codes(column, of: rows) { numbers[$0] = $1 }
            } else {
                var table = combinations[index - 1]
                combinations[index - 1] = CodeTable()
                codes[index].codes(column, of: rows) { numbers[$0] = table.combined(numbers[$0], $1) }
                combinations[index - 1] = table
            }
        } else {
            let cells = try columns.cells(for: RowNeeds(path, unresolved: unresolved), row: row)
            rows.eachRow { place in
                let own = codes[index].code(of: BlockRow.block(cells, place).value(at: path))
                numbers[place] = index == 0 ? own : combined(numbers[place], own, index)
            }
            statistics.rowsOneByOne += rows.count
        }
        groupOfRow = numbers
        if index == paths.count - 1 { try openGroups(rows, of: columns, row: row) }
    }

    /// Opens the groups that rows of a block are the first of.
    private mutating func openGroups<Block: ScanBlock, Row: RowReader>(
        _ rows: RowSelection, of columns: BlockColumns<Block>, row: @escaping (ObjectID) -> Row?
    ) throws {
        var newRows: [Int] = []
        let known = keys.count
        rows.eachRow { if Int(groupOfRow[$0]) == known + newRows.count { newRows.append($0) } }
        if newRows.isEmpty { return }
        var needs = RowNeeds(unresolved: unresolved)
        for path in paths { needs.add(path) }
        let cells = try columns.cells(for: needs, row: row)
        for place in newRows {
            let reader = BlockRow.block(cells, place)
            open(paths.map { reader.value(at: $0) })
        }
    }

    private mutating func add<Block: ScanBlock, Row: RowReader>(
        _ rows: RowSelection, to index: Int, _ aggregate: GroupedFetch.Figure, of columns: BlockColumns<Block>,
        row: @escaping (ObjectID) -> Row?
    ) throws {
        var list = figures[index]
        figures[index] = []
        defer { figures[index] = list }
        let groups = groupOfRow
        guard let path = aggregate.path else { return rows.eachRow { list[Int(groups[$0])].addObject() } }
        guard let property = path.ownColumn, !unresolved.contains(property) else {
            let cells = try columns.cells(for: RowNeeds(path, unresolved: unresolved), row: row)
            rows.eachRow { list[Int(groups[$0])].add(BlockRow.block(cells, $0).value(at: path)) }
            statistics.rowsOneByOne += rows.count
            return
        }
        guard let column = try columns.column(property) else { return }
        var rows = rows
        if let cells = column.cells {
            rows.formIntersection(RowSelection(words: SlotBits.words(cells), rowCount: rows.rowCount))
        }
        if aggregate.function == .count { return rows.eachRow { list[Int(groups[$0])].addObject() } }
        switch column.slots {
        case .ints(let slots): rows.eachRow { list[Int(groups[$0])].add(slots[$0]) }
        case .doubles(let slots) where column.type == .double: rows.eachRow { list[Int(groups[$0])].add(slots[$0]) }
        default: rows.eachRow { list[Int(groups[$0])].add(column.value($0) ?? .null) }
        }
    }
}

extension CodeTable {
    /// The number of a pair of numbers.
    @inline(__always)
    fileprivate mutating func combined(_ first: UInt32, _ second: UInt32) -> UInt32 {
        let next = UInt32(count)
        return code(of: UInt64(first) << 32 | UInt64(second)) { next }
    }
}
