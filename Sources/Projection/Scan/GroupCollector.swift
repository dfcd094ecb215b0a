// Invariants
// * Every list of `figures` has `groupCount` accumulators.
// * With keys, groups are numbered as `combinations.last`, or else the only key's `codes`, number them.
// * A key of a group is spelled as its place in `spellings` says; if that says nothing, as its code came first, and then all the
//   group's rows have it so.

import EventLog

/// The groups found so far in some of the blocks.
struct GroupCollector: Sendable {
    private let paths: [BoundPath]
    private let aggregates: [GroupedFetch.Figure]
    private let unresolved: Set<Property>
    private var codes: [KeyCodes]
    /// Of the second key and on: a number for the pair of the number so far and the key's own.
    private var combinations: [PairCodes]
    /// For each key, the least spelling in groups whose keys may come in several.
    private var spellings: [[Int: Value]]
    private var groupCount: Int
    private var figures: [[AggregateAccumulator]]
    /// The group of each row of a block; kept to be used again.
    private var groupOfRow: [UInt32] = []
    var statistics = ScanStatistics()

    init(_ fetch: GroupedFetch, unresolved: Set<Property>) {
        paths = fetch.keys
        aggregates = fetch.aggregates
        self.unresolved = unresolved
        codes = fetch.keys.map { _ in KeyCodes() }
        combinations = fetch.keys.dropFirst().map { _ in PairCodes() }
        spellings = fetch.keys.map { _ in [:] }
        groupCount = fetch.keys.isEmpty ? 1 : 0
        figures = fetch.aggregates.map { fetch.keys.isEmpty ? [AggregateAccumulator($0.function)] : [] }
    }

    /// What blocks must have at hand for its paths.
    static func needs(_ fetch: GroupedFetch, unresolved: Set<Property>) -> RowNeeds {
        var needs = RowNeeds(unresolved: unresolved)
        for path in fetch.keys + fetch.aggregates.compactMap(\.path) { needs.add(path) }
        return needs
    }

    var groups: [GroupedFetch.Group] {
        (0..<groupCount).map { group in
            GroupedFetch.Group(keys: keys(of: group), values: figures.map { $0[group].result })
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
        for index in 0..<other.groupCount {
            let group = group(of: other.keys(of: index))
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
        let known = groupCount
        openGroups()
        for (index, path) in paths.enumerated() where !codes[index].respelled.isEmpty {
            try respell(rows, by: path, index, of: columns, row: row, known: known)
        }
        for (index, aggregate) in aggregates.enumerated() {
            try add(rows, to: index, aggregate, of: columns, row: row)
        }
    }

    /// The group of some keys, a new one if need be.
    private mutating func group(of values: [Value]) -> Int {
        let known = groupCount
        var code: UInt32 = 0
        let own = values.indices.map { codes[$0].code(of: values[$0]) }
        for (index, own) in own.enumerated() { code = index == 0 ? own : combinations[index - 1].code(of: code, own) }
        let group = Int(code)
        openGroups()
        for (index, own) in own.enumerated() where codes[index].respelled.contains(own) {
            respell(group, index, own, as: values[index], known: known)
        }
        return group
    }

    private func keys(of group: Int) -> [Value] {
        var keys = [Value](repeating: .null, count: paths.count)
        var rest = UInt32(group)
        for index in paths.indices.reversed() {
            var own = rest
            if index > 0 { (rest, own) = combinations[index - 1].pair(rest) }
            keys[index] = spellings[index][group] ?? codes[index].spelling(own)
        }
        return keys
    }

    /// Opens the groups that have got a number.
    private mutating func openGroups() {
        guard let count = combinations.last?.count ?? codes.last?.count, count > groupCount else { return }
        for (index, aggregate) in aggregates.enumerated() {
            figures[index] += repeatElement(AggregateAccumulator(aggregate.function), count: count - groupCount)
        }
        groupCount = count
    }

    /// Takes note of how a row of a group spells one of its keys.
    ///
    /// - Parameter known: how many groups there were before a row of the block was looked at. Those have spelled the key as it
    ///   came first if nothing else is noted; newer ones have not spelled it yet.
    private mutating func respell(_ group: Int, _ index: Int, _ own: UInt32, as value: Value, known: Int) {
        let least = spellings[index][group] ?? (group < known ? codes[index].spelling(own) : nil)
        if let least, !Spelling.precedes(value, least) { return }
        spellings[index][group] = value
    }

    /// Takes note of how rows of a block spell those values of a key that came in several spellings.
    private mutating func respell<Block: ScanBlock, Row: RowReader>(
        _ rows: RowSelection, by path: BoundPath, _ index: Int, of columns: BlockColumns<Block>,
        row: @escaping (ObjectID) -> Row?, known: Int
    ) throws {
        let respelled = codes[index].respelled
        if let property = path.ownColumn, !unresolved.contains(property) {
            let column = try columns.column(property)
            var found: [(place: Int, own: UInt32)] = []
            codes[index].codes(column, of: rows) { if respelled.contains($1) { found.append(($0, $1)) } }
            for (place, own) in found {
                respell(Int(groupOfRow[place]), index, own, as: column?.value(place) ?? .null, known: known)
            }
        } else {
            let cells = try columns.cells(for: RowNeeds(path, unresolved: unresolved), row: row)
            rows.eachRow { place in
                let value = BlockRow.block(cells, place).value(at: path)
                let own = codes[index].code(of: value)
                if respelled.contains(own) { respell(Int(groupOfRow[place]), index, own, as: value, known: known) }
            }
        }
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
                combinations[index - 1] = PairCodes()
                codes[index].codes(column, of: rows) { numbers[$0] = table.code(of: numbers[$0], $1) }
                combinations[index - 1] = table
            }
        } else {
            let cells = try columns.cells(for: RowNeeds(path, unresolved: unresolved), row: row)
            rows.eachRow { place in
                let own = codes[index].code(of: BlockRow.block(cells, place).value(at: path))
                numbers[place] = index == 0 ? own : combinations[index - 1].code(of: numbers[place], own)
            }
            statistics.rowsOneByOne += rows.count
        }
        groupOfRow = numbers
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
