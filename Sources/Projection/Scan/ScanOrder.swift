import EventLog

/// A sort order over blocks and rows.
struct ScanOrder: Sendable {
    private let criteria: [RowOrder.Criterion]
    /// The first criterion, if it has a lead.
    private let first: RowOrder.Criterion?
    private let rest: [RowOrder.Criterion]

    init(_ order: RowOrder) {
        criteria = order.criteria
        first = criteria.first.flatMap { SortPlace.hasLead($0.path.type) ? $0 : nil }
        rest = first == nil ? criteria : Array(criteria.dropFirst())
    }

    func needs(unresolved: Set<Property>) -> RowNeeds {
        var needs = RowNeeds(unresolved: unresolved)
        for criterion in criteria { needs.add(criterion.path) }
        return needs
    }

    func precedes(_ a: SortPlace, _ b: SortPlace) -> Bool {
        if a.lead != b.lead { return a.lead < b.lead }
        for (index, criterion) in rest.enumerated() {
            let order = ValueOrder.sort(a.values[index], b.values[index])
            if order != 0 { return criterion.ascending ? order < 0 : order > 0 }
        }
        return a.id < b.id
    }

    func sorted(_ places: [SortPlace]) -> [SortPlace] {
        guard rest.isEmpty else { return places.sorted(by: precedes) }
        // Without lists to count references of, a place is moved at no more cost than its bytes.
        let bare = places.map { (lead: $0.lead, id: $0.id, position: $0.position) }.sorted {
            $0.lead != $1.lead ? $0.lead < $1.lead : $0.id < $1.id
        }
        return bare.map { SortPlace(lead: $0.lead, values: [], id: $0.id, position: $0.position) }
    }

    func place(of row: some RowReader, at position: ScanPosition) -> SortPlace {
        let lead = first.map { directed(SortPlace.Lead(row.value(at: $0.path)), $0) } ?? SortPlace.Lead()
        return SortPlace(
            lead: lead, values: rest.map { $0.folding.fold(row.value(at: $0.path)) }, id: row.id, position: position)
    }

    /// Whether a place is no more than the lead and the id.
    var isBare: Bool { first != nil && rest.isEmpty }

    /// A place that is no more than the lead and the id, of a row of the lead's column.
    func barePlace(of row: Int, in column: ColumnBlock?, id: ObjectID, at position: ScanPosition) -> SortPlace {
        let lead: SortPlace.Lead =
            if let column, column.cell(row) == .value {
                switch column.slots {
                case .ints(let slots): SortPlace.Lead(slots[row])
                case .doubles(let slots): SortPlace.Lead(slots[row])
                default: SortPlace.Lead(column.value(row) ?? .null)
                }
            } else {
                .null
            }
        return SortPlace(lead: first.map { directed(lead, $0) } ?? lead, values: [], id: id, position: position)
    }

    /// The rows, among some, that could precede a place, told by their leads alone.
    func rows(_ rows: RowSelection, notBeyond last: SortPlace, _ column: ColumnBlock?) -> RowSelection {
        guard let first else { return self.rows(rows, notBeyond: last.values.first, column) }
        let (limit, ascending) = (last.lead, first.ascending)
        func isWithin(_ lead: SortPlace.Lead) -> Bool { (ascending ? lead : lead.reversed) <= limit }
        guard let column else { return isWithin(.null) ? rows : RowSelection(noneOf: rows.rowCount) }
        if column.cells == nil {
            switch column.slots {
            case .ints(let slots): return rows.filter { isWithin(SortPlace.Lead(slots[$0])) }
            case .doubles(let slots): return rows.filter { isWithin(SortPlace.Lead(slots[$0])) }
            default: break
            }
        }
        return rows.filter { isWithin(SortPlace.Lead(column.value($0) ?? .null)) }
    }

    /// The same of a first criterion that is text as it is.
    private func rows(_ rows: RowSelection, notBeyond last: Value?, _ column: ColumnBlock?) -> RowSelection {
        guard let column, column.cells == nil, case .strings(let utf8, let ends) = column.slots,
            case .string(let limit) = last, limit.isASCII, let criterion = criteria.first, criterion.folding.options.isEmpty
        else { return rows }
        let (texts, bytes) = (TextColumn(utf8: utf8, ends: ends), Array(limit.utf8))
        // Of ASCII the bytes have the order of the texts.
        return rows.filter { row in
            let order = texts.order(row, bytes, foldsCase: false)
            return (criterion.ascending ? order <= 0 : order >= 0) || !texts.isASCII(row)
        }
    }

    /// The column of the first criterion; nil when rows are asked for it, or there is none.
    func leadColumn(unresolved: Set<Property>) -> Property? {
        criteria.first?.path.ownColumn.flatMap { unresolved.contains($0) ? nil : $0 }
    }

    /// The first lead that a row of a block can have; nil when nothing is known of it.
    func firstLead(_ bounds: ColumnBounds?) -> SortPlace.Lead? {
        guard let first else { return nil }
        guard let bounds else { return directed(.null, first) }
        if first.ascending, bounds.hasNull { return .null }
        guard let value = first.ascending ? bounds.lowest : bounds.highest else { return nil }
        return directed(SortPlace.Lead(value), first)
    }

    private func directed(_ lead: SortPlace.Lead, _ criterion: RowOrder.Criterion) -> SortPlace.Lead {
        criterion.ascending ? lead : lead.reversed
    }
}
