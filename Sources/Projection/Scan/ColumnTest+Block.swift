import EventLog

extension ColumnTest {
    /// The rows, among some, for whose value in a column it holds: what ``matches(_:)`` says of each.
    func select(_ column: ColumnBlock, among rows: RowSelection) -> RowSelection {
        guard let cells = column.cells else { return selectValues(column, among: rows) }
        let values = RowSelection(words: SlotBits.words(cells), rowCount: column.count)
        var candidates = rows
        candidates.formIntersection(values)
        var result = candidates.isEmpty ? candidates : selectValues(column, among: candidates)
        if matches(.null) {
            var others = rows
            others.subtract(values)
            result.formUnion(others)
        }
        return result
    }

    /// The same of rows that all have a value.
    private func selectValues(_ column: ColumnBlock, among rows: RowSelection) -> RowSelection {
        let words: [UInt64]?
        switch column.slots {
        case .ints(let slots): words = ranges(column.type)?.unions { SlotBits.words(slots, in: $0) }
        case .doubles(let slots): words = ranges(column.type)?.unions { SlotBits.words(slots, in: $0) }
        case .bools(let slots): words = SlotBits.words(slots, where: (matches(.bool(false)), matches(.bool(true))))
        case .strings(let utf8, let ends):
            return selectTexts(TextColumn(utf8: utf8, ends: ends), among: rows)
        case .uuids, .values: words = nil
        }
        guard let words else { return rows.filter { matches(column.value($0) ?? .null) } }
        var result = RowSelection(words: words, rowCount: column.count)
        result.formIntersection(rows)
        return result
    }

    /// The ranges of numbers that it holds for; nil when they are no ranges, or too many.
    private func ranges<Number: SlotNumber>(_ type: ValueType) -> [SlotRange<Number>]? {
        guard case .among(let keys, let options) = self, keys.count != 1 else {
            return SlotRange(self, of: type).map { [$0] }
        }
        if keys.count > 8 { return nil }
        // Null is no number, so that it takes no part here.
        let ranges = keys.filter { $0.value != .null }.map { SlotRange<Number>(.among([$0], options), of: type) }
        return ranges.contains { $0 == nil } ? nil : ranges.compactMap { $0 } + (ranges.isEmpty ? [.nothing] : [])
    }

    private func selectTexts(_ texts: TextColumn, among rows: RowSelection) -> RowSelection {
        switch self {
        case .text(let test):
            if let bytes = test.ofBytes { return bytes.select(texts, among: rows, test) }
            return rows.filter { test.matches(texts.text($0)) }
        case .among(let keys, let options) where options.isEmpty && keys.count <= 8:
            var result = RowSelection(noneOf: rows.rowCount)
            var rest = rows
            for key in keys {
                guard case .string(let text) = key.value else { continue }
                let equal = (try? ColumnTest(.equal, [.string(text)], options: []))?.selectTexts(texts, among: rest)
                guard let equal else { continue }
                result.formUnion(equal)
                rest.subtract(equal)
            }
            return result
        default: return rows.filter { matches(.string(texts.text($0))) }
        }
    }
}

extension Array {
    /// The union of a bitmap per element.
    fileprivate func unions(_ words: (Element) -> [UInt64]) -> [UInt64] {
        var result = first.map(words) ?? []
        for element in dropFirst() {
            let other = words(element)
            for index in result.indices { result[index] |= other[index] }
        }
        return result
    }
}

extension ByteTest {
    /// The rows, among some, that `test`, from which this one was made, holds for.
    fileprivate func select(_ texts: TextColumn, among rows: RowSelection, _ test: TextTest) -> RowSelection {
        if case .order(.notEqual) = form {
            let equal = negated.select(texts, among: rows) { !test.matches($0) }
            var result = rows
            result.subtract(equal)
            return result
        }
        return select(texts, among: rows, test.matches)
    }

    /// The same with what decides of texts that are not ASCII.
    private func select(_ texts: TextColumn, among rows: RowSelection, _ decides: (String) -> Bool) -> RowSelection {
        var result = selectBytes(texts, among: rows)
        // Equal bytes are equal texts, but bytes within a text may be parts of characters.
        if needsBytes, case .order(.equal) = form { return result }
        if needsBytes, !isOrder {
            return result.filter { texts.isASCII($0) || decides(texts.text($0)) }
        }
        var others = rows.isSparse ? rows.filter { !texts.isASCII($0) } : texts.nonASCIIRows()
        others.formIntersection(rows)
        result.subtract(others)
        result.formUnion(others.filter { decides(texts.text($0)) })
        return result
    }

    private var isOrder: Bool {
        if case .order = form { true } else { false }
    }

    /// What the bytes alone say.
    private func selectBytes(_ texts: TextColumn, among rows: RowSelection) -> RowSelection {
        switch form {
        case .order(.equal): return texts.rows(equal: bytes, foldsCase: foldsCase, among: rows)
        case .order(let comparator):
            return rows.filter { comparator.holds(for: texts.order($0, bytes, foldsCase: foldsCase)) }
        case .contains:
            if rows.isSparse {
                let search = ByteSearch(bytes, foldsCase: foldsCase)
                return rows.filter { texts.contains($0, search) }
            }
            var result = texts.rows(containing: bytes, foldsCase: foldsCase)
            result.formIntersection(rows)
            return result
        case .beginsWith: return rows.filter { texts.hasAffix($0, bytes, atEnd: false, foldsCase: foldsCase) }
        case .endsWith: return rows.filter { texts.hasAffix($0, bytes, atEnd: true, foldsCase: foldsCase) }
        case .like(let pattern): return rows.filter { texts.fits($0, pattern, foldsCase: foldsCase) }
        }
    }
}

extension RowSelection {
    /// Whether so few rows are selected that each is looked at for itself.
    fileprivate var isSparse: Bool { count * 8 < rowCount }
}
