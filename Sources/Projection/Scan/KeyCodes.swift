// Invariants
// * `doubles`, `dates` and `texts` have each spelling that came, with the number of its key; the register tells which spellings
//   are of one key.

import EventLog

/// A number for each value of a key, the same for values that groups take as equal.
struct KeyCodes: Sendable {
    private var register = KeyRegister()
    private var doubles = CodeTable()
    private var dates = CodeTable()
    private var texts = TextCodes()

    /// How many numbers there are; they begin at 0.
    var count: Int { register.spellings.count }

    /// How the key of a number was spelled when it came.
    func spelling(_ code: UInt32) -> Value { register.spellings[Int(code)] }

    /// The numbers whose keys came in more than one spelling.
    var respelled: Set<UInt32> { register.respelled }

    mutating func code(of value: Value) -> UInt32 {
        switch value {
        case .double(let number): doubles.code(of: number.bitPattern) { register.code(ofNew: value) }
        case .date(let seconds): dates.code(of: seconds.bitPattern) { register.code(ofNew: value) }
        case .string(let text): texts.code(of: text) { register.code(ofNew: .string($0)) }
        default: register.code(of: value)
        }
    }

    /// Gives the number of each of some rows to `body`, in any order.
    mutating func codes(_ column: ColumnBlock?, of rows: RowSelection, _ body: (Int, UInt32) -> Void) {
        guard let column else {
            if rows.isEmpty { return }
            let null = code(of: .null)
            return rows.eachRow { body($0, null) }
        }
        var rows = rows
        if let cells = column.cells {
            var empty = rows
            rows.formIntersection(RowSelection(words: SlotBits.words(cells), rowCount: rows.rowCount))
            empty.subtract(rows)
            if !empty.isEmpty {
                let null = code(of: .null)
                empty.eachRow { body($0, null) }
            }
        }
        switch column.slots {
        case .ints(let slots):
            let isCounter = column.type == .counter
            rows.eachRow { body($0, register.code(of: slots[$0], isCounter: isCounter)) }
        case .doubles(let slots) where column.type == .date:
            rows.eachRow { row in
                let seconds = slots[row]
                body(row, dates.code(of: seconds.bitPattern) { register.code(ofNew: .date(seconds)) })
            }
        case .doubles(let slots):
            rows.eachRow { row in
                let number = slots[row]
                body(row, doubles.code(of: number.bitPattern) { register.code(ofNew: .double(number)) })
            }
        case .strings(let utf8, let ends):
            var codes = [UInt32](repeating: 0, count: rows.rowCount)
            texts.codes(utf8: utf8, ends: ends, of: rows, into: &codes) { register.code(ofNew: .string($0)) }
            rows.eachRow { body($0, codes[$0]) }
        case .bools, .values: rows.eachRow { body($0, code(of: column.value($0) ?? .null)) }
        }
    }
}
