import EventLog

/// A number for each value of a key, the same for values that groups take as equal.
struct KeyCodes: Sendable {
    private var known: [EqualityKey: UInt32] = [:]
    private var words = CodeTable()
    private var texts = TextCodes()

    /// How many numbers there are; they begin at 0.
    var count: Int { known.count }

    mutating func code(of value: Value) -> UInt32 { Self.code(of: value, in: &known) }

    /// Gives the number of each of some rows to `body`.
    mutating func codes(_ column: ColumnBlock?, of rows: RowSelection, _ body: (Int, UInt32) -> Void) {
        guard let column, column.cells == nil else {
            return rows.eachRow { body($0, code(of: column?.value($0) ?? .null)) }
        }
        let isDate = column.type == .date
        switch column.slots {
        case .ints(let slots):
            rows.eachRow { row in
                let number = slots[row]
                body(row, words.code(of: UInt64(bitPattern: number)) { Self.code(of: .int(number), in: &known) })
            }
        case .doubles(let slots):
            rows.eachRow { row in
                let number = slots[row]
                body(
                    row,
                    words.code(of: number.bitPattern) {
                        Self.code(of: isDate ? .date(number) : .double(number), in: &known)
                    })
            }
        case .strings(let utf8, let ends):
            var codes = [UInt32](repeating: 0, count: rows.rowCount)
            texts.codes(utf8: utf8, ends: ends, of: rows, into: &codes) { Self.code(of: .string($0), in: &known) }
            rows.eachRow { body($0, codes[$0]) }
        case .bools, .values: rows.eachRow { body($0, code(of: column.value($0) ?? .null)) }
        }
    }

    private static func code(of value: Value, in known: inout [EqualityKey: UInt32]) -> UInt32 {
        let key = EqualityKey(value)
        if let code = known[key] { return code }
        let code = UInt32(known.count)
        known[key] = code
        return code
    }
}
