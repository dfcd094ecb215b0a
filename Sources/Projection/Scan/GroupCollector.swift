// Invariants
// * Every column of `figures` has `groupCount` groups.
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
    private var figures: [FigureColumn]
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
        figures = fetch.aggregates.map { FigureColumn($0.function, groups: fetch.keys.isEmpty ? 1 : 0) }
    }

    /// What blocks must have at hand for its paths.
    static func needs(_ fetch: GroupedFetch, unresolved: Set<Property>) -> RowNeeds {
        var needs = RowNeeds(unresolved: unresolved)
        for path in fetch.keys + fetch.aggregates.compactMap(\.path) { needs.add(path) }
        return needs
    }

    /// What was found, and whether it is in the order of the keys already.
    ///
    /// - Parameter mayUseThreads: whether a second thread may help.
    func groups(mayUseThreads: Bool) throws -> (all: [GroupedFetch.Group], areInOrder: Bool) {
        let ordered = paths.count == 1 ? codes[0].ordered : nil
        let groups = ordered ?? (0..<UInt32(groupCount)).map { $0 }
        let pieces = stride(from: 0, to: groups.count, by: 512).map { groups[$0..<min($0 + 512, groups.count)] }
        let parts = try BlockThreads.parts(of: pieces, mayUseThreads: mayUseThreads) { pieces in
            pieces.flatMap { $0.map { group(Int($0)) } }
        }
        return (parts.count == 1 ? parts[0] : parts.flatMap(\.self), ordered != nil)
    }

    private func group(_ group: Int) -> GroupedFetch.Group {
        let keys = keys(of: group)
        // One figure is what is asked for most often, and a list of one takes least to make.
        if figures.count == 1 { return GroupedFetch.Group(keys: keys, values: [figures[0].result(group)]) }
        return GroupedFetch.Group(keys: keys, values: figures.indices.map { figures[$0].result(group) })
    }

    mutating func add(_ row: some RowReader) {
        let group = group(of: paths.map { row.value(at: $0) })
        for (index, aggregate) in aggregates.enumerated() {
            if let path = aggregate.path {
                figures[index].add(row.value(at: path), to: group)
            } else {
                figures[index].addObject(group)
            }
        }
    }

    /// Joins what another collector found in later blocks.
    mutating func add(_ other: GroupCollector) {
        let groups = groups(of: other)
        for figure in figures.indices { figures[figure].add(other.figures[figure], as: groups) }
        statistics += other.statistics
    }

    /// The groups here of another collector's groups.
    private mutating func groups(of other: GroupCollector) -> [Int] {
        var known = [UInt32?](repeating: nil, count: other.groupCount)
        if paths.count == 1, codes[0].respelled.isEmpty, other.codes[0].respelled.isEmpty {
            known = codes[0].numbers(of: other.codes[0])
            openGroups()
        }
        return known.enumerated().map { theirs, group in group.map { Int($0) } ?? self.group(of: other.keys(of: theirs)) }
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
        if paths.count == 1 { return [key(0, UInt32(group), of: group)] }
        var keys = [Value](repeating: .null, count: paths.count)
        var rest = UInt32(group)
        for index in paths.indices.reversed() {
            var own = rest
            if index > 0 { (rest, own) = combinations[index - 1].pair(rest) }
            keys[index] = key(index, own, of: group)
        }
        return keys
    }

    private func key(_ index: Int, _ own: UInt32, of group: Int) -> Value {
        if !spellings[index].isEmpty, let least = spellings[index][group] { return least }
        return codes[index].spelling(own)
    }

    /// Opens the groups that have got a number.
    private mutating func openGroups() {
        guard let count = combinations.last?.count ?? codes.last?.count, count > groupCount else { return }
        for index in figures.indices { figures[index].open(count) }
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
            let own = try numbers(of: rows, by: property, index, of: columns)
            rows.eachRow { place in
                guard respelled.contains(own[place]) else { return }
                respell(Int(groupOfRow[place]), index, own[place], as: column?.value(place) ?? .null, known: known)
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
        let own: [UInt32]
        if let property = path.ownColumn, !unresolved.contains(property) {
            own = try numbers(of: rows, by: property, index, of: columns)
        } else {
            let cells = try columns.cells(for: RowNeeds(path, unresolved: unresolved), row: row)
            var numbers = [UInt32](repeating: 0, count: rows.rowCount)
            rows.eachRow { numbers[$0] = codes[index].code(of: BlockRow.block(cells, $0).value(at: path)) }
            statistics.rowsOneByOne += rows.count
            own = numbers
        }
        if index == 0 {
            groupOfRow = own
        } else {
            rows.eachRow { groupOfRow[$0] = combinations[index - 1].code(of: groupOfRow[$0], own[$0]) }
        }
    }

    /// The numbers that a key has in some rows.
    private mutating func numbers<Block: ScanBlock>(
        of rows: RowSelection, by property: Property, _ index: Int, of columns: BlockColumns<Block>
    ) throws -> [UInt32] {
        var numbers = [UInt32](repeating: 0, count: rows.rowCount)
        if let texts = try columns.texts(property), codes[index].codes(texts, of: rows, into: &numbers) { return numbers }
        codes[index].codes(try columns.column(property), of: rows, into: &numbers)
        return numbers
    }

    private mutating func add<Block: ScanBlock, Row: RowReader>(
        _ rows: RowSelection, to index: Int, _ aggregate: GroupedFetch.Figure, of columns: BlockColumns<Block>,
        row: @escaping (ObjectID) -> Row?
    ) throws {
        // Taken out, so that it is not copied when it is added to.
        var figure = figures[index]
        figures[index] = FigureColumn(aggregate.function, groups: 0)
        defer { figures[index] = figure }
        guard let path = aggregate.path else { return figure.addObjects(rows, groupOfRow) }
        guard let property = path.ownColumn, !unresolved.contains(property) else {
            let cells = try columns.cells(for: RowNeeds(path, unresolved: unresolved), row: row)
            rows.eachRow { figure.add(BlockRow.block(cells, $0).value(at: path), to: Int(groupOfRow[$0])) }
            statistics.rowsOneByOne += rows.count
            return
        }
        guard let column = try columns.column(property) else { return }
        var rows = rows
        if let cells = column.cells {
            rows.formIntersection(RowSelection(words: SlotBits.words(cells), rowCount: rows.rowCount))
        }
        if aggregate.function == .count { return figure.addObjects(rows, groupOfRow) }
        switch column.slots {
        case .ints(let slots): figure.add(slots, rows, groupOfRow)
        case .doubles(let slots) where column.type == .double: figure.add(slots, rows, groupOfRow)
        default: rows.eachRow { figure.add(column.value($0) ?? .null, to: Int(groupOfRow[$0])) }
        }
    }
}
