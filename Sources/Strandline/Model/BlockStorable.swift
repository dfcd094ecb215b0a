import EventLog
import Projection
import Storage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A type that moves between rows and blocks without a ``Value`` per row.
///
/// Others take the way through values.
protocol BlockStorable: Storable {
    /// The typed values of a block, by row; nil where the property keeps its default.
    static func reader(_ block: ColumnBlock) -> (Int) -> Self?
    /// A block of `count` rows, null where `value` gives nil.
    static func block(_ count: Int, _ value: (Int) -> Self?) -> ColumnBlock
    /// Adds the value to a column of its type.
    func append(to column: inout ColumnBuffer)
}

extension BlockStorable {
    /// The way through values.
    func append(to column: inout ColumnBuffer) { column.append(storedValue) }
}

extension BlockStorable where Self: FixedWidthInteger {
    func append(to column: inout ColumnBuffer) { column.append(Int64(self)) }
}

extension Double {
    func append(to column: inout ColumnBuffer) { column.append(self) }
}

extension String {
    func append(to column: inout ColumnBuffer) { column.append(self) }
}

extension BlockStorable {
    /// The way through values, for a block whose slots are not of the expected kind.
    static func valueReader(_ block: ColumnBlock) -> (Int) -> Self? {
        { row in block.value(row).flatMap { Self(storedValue: $0) } }
    }

    /// Reads `slot` where there is a value.
    ///
    /// The test for blocks without gaps stays out of the loop.
    static func reader(_ block: ColumnBlock, _ slot: @escaping (Int) -> Self?) -> (Int) -> Self? {
        guard let cells = block.cells else { return slot }
        return { row in cells[row] == .value ? slot(row) : nil }
    }

    /// Collects slots, with `filler` where there is no value.
    static func collect<Slot>(
        _ count: Int, _ value: (Int) -> Self?, filler: Slot, _ slot: (Self) -> Slot
    ) -> (slots: [Slot], cells: [ColumnBlock.Cell]?) {
        var slots: [Slot] = []
        slots.reserveCapacity(count)
        var cells: [ColumnBlock.Cell]?
        for row in 0..<count {
            if let value = value(row) {
                slots.append(slot(value))
                cells?.append(.value)
            } else {
                if cells == nil { cells = Array(repeating: .value, count: row) }
                cells?.append(.null)
                slots.append(filler)
            }
        }
        return (slots, cells)
    }
}

extension Bool: BlockStorable {
    static func reader(_ block: ColumnBlock) -> (Int) -> Bool? {
        guard case .bools(let slots) = block.slots else { return valueReader(block) }
        return reader(block) { slots[$0] }
    }

    static func block(_ count: Int, _ value: (Int) -> Bool?) -> ColumnBlock {
        let (slots, cells) = collect(count, value, filler: false) { $0 }
        return ColumnBlock(type: .bool, count: count, cells: cells, slots: .bools(slots))
    }
}

extension BlockStorable where Self: FixedWidthInteger {
    static func reader(_ block: ColumnBlock) -> (Int) -> Self? {
        guard case .ints(let slots) = block.slots else { return valueReader(block) }
        return reader(block) { Self(exactly: slots[$0]) }
    }

    static func block(_ count: Int, _ value: (Int) -> Self?) -> ColumnBlock {
        let (slots, cells) = collect(count, value, filler: 0) { Int64($0) }
        return ColumnBlock(type: .int, count: count, cells: cells, slots: .ints(slots))
    }
}

extension Int: BlockStorable {}
extension Int8: BlockStorable {}
extension Int16: BlockStorable {}
extension Int32: BlockStorable {}
extension Int64: BlockStorable {}
extension UInt8: BlockStorable {}
extension UInt16: BlockStorable {}
extension UInt32: BlockStorable {}

extension Double: BlockStorable {
    static func reader(_ block: ColumnBlock) -> (Int) -> Double? {
        guard block.type == .double, case .doubles(let slots) = block.slots else { return valueReader(block) }
        return reader(block) { slots[$0] }
    }

    static func block(_ count: Int, _ value: (Int) -> Double?) -> ColumnBlock {
        let (slots, cells) = collect(count, value, filler: 0) { $0 }
        return ColumnBlock(type: .double, count: count, cells: cells, slots: .doubles(slots))
    }
}

extension Date: BlockStorable {
    static func reader(_ block: ColumnBlock) -> (Int) -> Date? {
        guard block.type == .date, case .doubles(let slots) = block.slots else { return valueReader(block) }
        return reader(block) { Date(timeIntervalSinceReferenceDate: slots[$0]) }
    }

    static func block(_ count: Int, _ value: (Int) -> Date?) -> ColumnBlock {
        let (slots, cells) = collect(count, value, filler: 0) { $0.timeIntervalSinceReferenceDate }
        return ColumnBlock(type: .date, count: count, cells: cells, slots: .doubles(slots))
    }
}

extension String: BlockStorable {
    static func reader(_ block: ColumnBlock) -> (Int) -> String? {
        guard case .strings(let utf8, let ends) = block.slots else { return valueReader(block) }
        return reader(block) { ColumnBlock.text($0, utf8, ends) }
    }

    static func block(_ count: Int, _ value: (Int) -> String?) -> ColumnBlock {
        var utf8: [UInt8] = []
        func append(_ text: String) -> Int {
            utf8.append(contentsOf: text.utf8)
            return utf8.count
        }
        let (ends, cells) = collect(count, value, filler: -1, append)
        var last = 0
        let closed = ends.map { end -> Int in
            if end >= 0 { last = end }
            return last
        }
        return ColumnBlock(type: .string, count: count, cells: cells, slots: .strings(utf8: utf8, ends: closed))
    }
}

extension UUID: BlockStorable {
    static func reader(_ block: ColumnBlock) -> (Int) -> UUID? {
        guard case .uuids(let slots) = block.slots else { return valueReader(block) }
        return reader(block) { UUID(slots[$0]) }
    }

    static func block(_ count: Int, _ value: (Int) -> UUID?) -> ColumnBlock {
        let (slots, cells) = collect(count, value, filler: .zero) { $0.digest }
        return ColumnBlock(type: .uuid, count: count, cells: cells, slots: .uuids(slots))
    }
}

extension Optional: BlockStorable where Wrapped: BlockStorable {
    static func reader(_ block: ColumnBlock) -> (Int) -> Wrapped?? {
        let read = Wrapped.reader(block)
        guard let cells = block.cells else { return { row in read(row).map { .some($0) } } }
        return { row in
            switch cells[row] {
            case .absent: nil
            case .null: .some(nil)
            case .value: read(row).map { .some($0) }
            }
        }
    }

    static func block(_ count: Int, _ value: (Int) -> Wrapped??) -> ColumnBlock {
        Wrapped.block(count) { value($0) ?? nil }
    }
}
