package import EventLog
package import Storage

/// The values of one property in a run of rows, as a run's column chunk decodes to: one slot per row, by type, without optionals.
package struct ColumnBlock: Sendable {
    /// What a row has of the property.
    ///
    /// Absent is not null: the row was written before the property existed.
    package enum Cell: UInt8, Sendable {
        case absent, null, value
    }

    package enum Slots: Sendable {
        case bools([Bool])
        case ints([Int64])
        /// Doubles and dates.
        case doubles([Double])
        /// UTF-8 of all rows one after the other; the text of row i ends at `ends[i]` and starts where that of row i − 1 ends.
        case strings(utf8: [UInt8], ends: [Int])
        case uuids([Digest128])
        /// Any other type.
        case values([Value])
    }

    package let type: ValueType
    package let count: Int
    /// Nil when every row has a value.
    package let cells: [Cell]?
    /// `count` slots; those of rows without a value hold anything of the type.
    package let slots: Slots

    package init(type: ValueType, count: Int, cells: [Cell]?, slots: Slots) {
        self.type = type
        self.count = count
        self.cells = cells
        self.slots = slots
    }

    /// A block of values of one type, nil where the row has none at all.
    package init(type: ValueType, _ values: [Value?]) {
        let cells = values.map { value -> Cell in value.map { $0 == .null ? .null : .value } ?? .absent }
        self.init(
            type: type, count: values.count, cells: cells.allSatisfy { $0 == .value } ? nil : cells,
            slots: .values(values.map { $0 ?? .null }))
    }

    /// What a row has of the property.
    package func cell(_ row: Int) -> Cell { cells?[row] ?? .value }

    /// The value of a row; nil when absent.
    package func value(_ row: Int) -> Value? {
        switch cell(row) {
        case .absent: return nil
        case .null: return .null
        case .value: break
        }
        switch slots {
        case .bools(let slots): return .bool(slots[row])
        case .ints(let slots): return type == .counter ? .counter(slots[row]) : .int(slots[row])
        case .doubles(let slots): return type == .date ? .date(slots[row]) : .double(slots[row])
        case .strings(let utf8, let ends): return .string(Self.text(row, utf8, ends))
        case .uuids(let slots): return .uuid(slots[row])
        case .values(let slots): return slots[row]
        }
    }

    /// The text of a row of a string block.
    package static func text(_ row: Int, _ utf8: [UInt8], _ ends: [Int]) -> String {
        String(decoding: utf8[(row == 0 ? 0 : ends[row - 1])..<ends[row]], as: UTF8.self)
    }
}
