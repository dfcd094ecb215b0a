import Storage

// Invariants
// * `bits` is empty while all rows are present or none is; otherwise bit r % 64 of word r / 64 says whether row r is present,
//   and bits from `count` on are zero.

/// Which rows of a column are there.
///
/// Grows by appending; costs nothing while all rows agree.
package struct Presence: Sendable, Hashable {
    package private(set) var count = 0
    /// How many rows are present.
    package private(set) var present = 0
    private var bits: [UInt64] = []

    package init() {}

    /// Rows that are all present, or all not.
    package init(repeating isPresent: Bool, count: Int) {
        self.count = count
        present = isPresent ? count : 0
    }

    package var isAll: Bool { present == count }
    package var isNone: Bool { present == 0 }

    package subscript(row: Int) -> Bool {
        bits.isEmpty ? present != 0 : bits[row >> 6] >> UInt64(row & 63) & 1 != 0
    }

    package mutating func append(_ isPresent: Bool) {
        if bits.isEmpty {
            if count == 0 || isPresent == (present != 0) {
                count += 1
                if isPresent { present += 1 }
                return
            }
            materialise()
        }
        if count & 63 == 0 { bits.append(0) }
        if isPresent {
            bits[count >> 6] |= 1 << UInt64(count & 63)
            present += 1
        }
        count += 1
    }

    package mutating func append(contentsOf other: Presence) {
        if bits.isEmpty, other.bits.isEmpty, isAll, other.isAll {
            count += other.count
            present += other.count
        } else {
            for row in 0..<other.count { append(other[row]) }
        }
    }

    /// Takes the last row out.
    package mutating func removeLast() {
        count -= 1
        if self[count] { present -= 1 }
        guard !bits.isEmpty else { return }
        bits[count >> 6] &= ~(1 << UInt64(count & 63))
        if count & 63 == 0 { bits.removeLast() }
        if isAll || isNone { bits = [] }
    }

    /// How many rows before `row` are present.
    package func rank(_ row: Int) -> Int {
        if bits.isEmpty { return present == 0 ? 0 : row }
        var sum = 0
        for word in 0..<row >> 6 { sum += bits[word].nonzeroBitCount }
        if row & 63 != 0 { sum += (bits[row >> 6] & (1 << UInt64(row & 63) &- 1)).nonzeroBitCount }
        return sum
    }

    private mutating func materialise() {
        bits = Array(repeating: 0, count: (count + 63) >> 6)
        guard present != 0 else { return }
        for row in 0..<count { bits[row >> 6] |= 1 << UInt64(row & 63) }
    }
}

// The stored form.
extension Presence {
    func write(_ rows: Range<Int>, to writer: inout ByteWriter) {
        let present = rank(rows.upperBound) - rank(rows.lowerBound)
        if present == rows.count { return writer.u8(TransactionFormat.PresenceForm.all) }
        if present == 0 { return writer.u8(TransactionFormat.PresenceForm.none) }
        writer.u8(TransactionFormat.PresenceForm.bits)
        writer.bits(rows.count) { self[rows.lowerBound + $0] }
    }

    /// The caller has bounded `count`.
    init(from reader: inout ByteReader, count: Int) throws(StorageError) {
        let form = try reader.u8()
        switch form {
        case TransactionFormat.PresenceForm.all: self.init(repeating: true, count: count)
        case TransactionFormat.PresenceForm.none: self.init(repeating: false, count: count)
        case TransactionFormat.PresenceForm.bits:
            let start = reader.position
            let words = try reader.bits(count)
            let present = words.reduce(0) { $0 + $1.nonzeroBitCount }
            guard present != 0, present != count else {
                throw .malformed("a presence bit by bit where all rows agree", offset: UInt64(start))
            }
            self.init()
            self.count = count
            self.present = present
            bits = words
        default: throw reader.failure("a presence of form \(form)")
        }
    }
}
