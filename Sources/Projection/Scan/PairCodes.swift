// Invariants
// * `pairs[n]` is the pair of number n, its first number in the upper half.

/// A number for each of the pairs of numbers it was given.
struct PairCodes: Sendable {
    private var table = CodeTable()
    private var pairs: [UInt64] = []

    /// How many pairs there are; their numbers begin at 0.
    var count: Int { pairs.count }

    @inline(__always)
    mutating func code(of first: UInt32, _ second: UInt32) -> UInt32 {
        let pair = UInt64(first) << 32 | UInt64(second)
        return table.code(of: pair) {
            pairs.append(pair)
            return UInt32(pairs.count - 1)
        }
    }

    func pair(_ code: UInt32) -> (first: UInt32, second: UInt32) {
        let pair = pairs[Int(code)]
        return (UInt32(pair >> 32), UInt32(truncatingIfNeeded: pair))
    }
}
