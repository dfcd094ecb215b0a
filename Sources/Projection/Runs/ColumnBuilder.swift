import EventLog
import Storage

// Invariants
// * `cells`, and the one array that the type uses, have `count` entries; those of rows without a value repeat one that is there,
//   so that they widen neither bounds nor numbers.
// * `codes` is empty while all stamps are 0; else it has `count` entries.

/// Collects the values of one property of a block.
struct ColumnBuilder {
    let property: Property
    private(set) var count = 0
    /// Rows with a value, and with null.
    private(set) var values = 0, nulls = 0
    private(set) var cells: [ColumnBlock.Cell] = []
    private(set) var codes: [UInt32] = []
    var bools: [Bool] = []
    var ints: [Int64] = []
    var doubles: [Double] = []
    /// Strings and data: the bytes of all rows, and where each ends.
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var uuids: [Digest128] = []
    var references: [ObjectID] = []
    var blobs: [BlobReference] = []

    init(_ property: Property) { self.property = property }

    var isUnused: Bool { values == 0 && nulls == 0 }

    mutating func removeAll() {
        count = 0
        values = 0
        nulls = 0
        cells.removeAll(keepingCapacity: true)
        codes.removeAll(keepingCapacity: true)
        bools.removeAll(keepingCapacity: true)
        ints.removeAll(keepingCapacity: true)
        doubles.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        uuids.removeAll(keepingCapacity: true)
        references.removeAll(keepingCapacity: true)
        blobs.removeAll(keepingCapacity: true)
    }

    /// Adds what `row` reads as, and which write it comes from; rows left out in between have nothing.
    ///
    /// - Returns: False when the value is not of the column's type, so that the row has nothing here.
    mutating func append(_ value: Value, code: UInt32, row: Int) -> Bool {
        pad(to: row)
        switch (value, property.type) {
        case (.null, _):
            appendFiller(1)
            cells.append(.null)
            nulls += 1
            count += 1
            note(code)
            return true
        case (.bool(let value), .bool): Self.add(value, to: &bools, after: count)
        case (.int(let value), .int), (.counter(let value), .counter): Self.add(value, to: &ints, after: count)
        case (.double(let value), .double), (.date(let value), .date): Self.add(value, to: &doubles, after: count)
        case (.string(let value), .string):
            bytes.append(contentsOf: value.utf8)
            ends.append(bytes.count)
        case (.data(let value), .data):
            bytes.append(contentsOf: value)
            ends.append(bytes.count)
        case (.uuid(let value), .uuid): Self.add(value, to: &uuids, after: count)
        case (.reference(let value), .reference): Self.add(value, to: &references, after: count)
        case (.blob(let value), .blob): Self.add(value, to: &blobs, after: count)
        default: return false
        }
        cells.append(.value)
        values += 1
        count += 1
        note(code)
        return true
    }

    /// Counts values that the type's array has already, all of code 0.
    mutating func noteValues(_ count: Int) {
        cells.append(contentsOf: repeatElement(.value, count: count))
        values += count
        self.count += count
    }

    /// Rows up to `row` that nothing was added for have nothing.
    mutating func pad(to row: Int) {
        let missing = row - count
        guard missing > 0 else { return }
        cells.append(contentsOf: repeatElement(.absent, count: missing))
        appendFiller(missing)
        if !codes.isEmpty { codes.append(contentsOf: repeatElement(0, count: missing)) }
        count = row
    }

    private mutating func note(_ code: UInt32) {
        if code == 0, codes.isEmpty { return }
        if codes.isEmpty { codes = Array(repeating: 0, count: count - 1) }
        codes.append(code)
    }

    private static func add<Element>(_ value: Element, to array: inout [Element], after count: Int) {
        // What came before the first value gets its filler only now.
        while array.count < count { array.append(value) }
        array.append(value)
    }

    private mutating func appendFiller(_ missing: Int) {
        if property.type == .string || property.type == .data {
            return ends.append(contentsOf: repeatElement(bytes.count, count: missing))
        }
        guard values > 0 else { return }
        switch property.type {
        case .bool: Self.repeatLast(&bools, missing)
        case .int, .counter: Self.repeatLast(&ints, missing)
        case .double, .date: Self.repeatLast(&doubles, missing)
        case .uuid: Self.repeatLast(&uuids, missing)
        case .reference: Self.repeatLast(&references, missing)
        case .blob: Self.repeatLast(&blobs, missing)
        case .string, .data, .edges: break
        }
    }

    private static func repeatLast<Element>(_ array: inout [Element], _ times: Int) {
        if let last = array.last { array.append(contentsOf: repeatElement(last, count: times)) }
    }
}
