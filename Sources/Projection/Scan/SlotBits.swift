import EventLog

/// Loops over the slots of a column that give a bit per row, in the layout of ``RowSelection``.
enum SlotBits {
    /// The rows whose slot satisfies a condition.
    @inline(__always)
    static func words<Slot>(_ slots: [Slot], _ holds: (Slot) -> Bool) -> [UInt64] {
        let count = slots.count
        return unsafe [UInt64](unsafeUninitializedCapacity: (count + 63) / 64) { words, used in
            unsafe slots.withUnsafeBufferPointer { slots in
                for index in 0..<count / 64 {
                    var word: UInt64 = 0
                    for bit in 0..<64 { unsafe word |= (holds(slots[index * 64 + bit]) ? 1 : 0) << UInt64(bit) }
                    unsafe words[index] = word
                }
                if count % 64 != 0 {
                    var word: UInt64 = 0
                    for bit in 0..<count % 64 { unsafe word |= (holds(slots[count / 64 * 64 + bit]) ? 1 : 0) << UInt64(bit) }
                    unsafe words[count / 64] = word
                }
            }
            used = (count + 63) / 64
        }
    }

    /// The integers in a range: one comparison each, of their distance from its lower bound.
    static func words(_ slots: [Int64], in range: SlotRange<Int64>) -> [UInt64] {
        guard let (low, high) = range.bounds else { return constant(range.isNegated, slots.count) }
        let width = UInt64(bitPattern: high &- low)
        if range.isNegated { return words(slots) { UInt64(bitPattern: $0 &- low) > width } }
        if high == .max { return words(slots) { $0 >= low } }
        return words(slots) { UInt64(bitPattern: $0 &- low) <= width }
    }

    static func words(_ slots: [Double], in range: SlotRange<Double>) -> [UInt64] {
        guard let (low, high) = range.bounds else { return constant(range.isNegated, slots.count) }
        if range.isNegated { return words(slots) { !($0 >= low && $0 <= high) } }
        // Both sides of `&` are always evaluated, so that there is no branch.
        return words(slots) { UInt8($0 >= low ? 1 : 0) & UInt8($0 <= high ? 1 : 0) != 0 }
    }

    static func words(_ slots: [Bool], where answers: (ofFalse: Bool, ofTrue: Bool)) -> [UInt64] {
        if answers.ofFalse == answers.ofTrue { return constant(answers.ofTrue, slots.count) }
        return answers.ofTrue ? words(slots) { $0 } : words(slots) { !$0 }
    }

    static func words(_ cells: [ColumnBlock.Cell]) -> [UInt64] { words(cells) { $0 == .value } }

    private static func constant(_ holds: Bool, _ count: Int) -> [UInt64] {
        [UInt64](repeating: holds ? .max : 0, count: (count + 63) / 64)
    }
}
