// Invariants
// * `numbers[n]` is the number here of text n of the pool; `none` for one that did not come.

/// What numbers the texts of a pool have here.
struct PooledNumbers: Sendable {
    private static let none = UInt32.max
    private static let awaited = UInt32.max - 1
    let pool: TextPool
    private var numbers: [UInt32] = []

    init(_ pool: TextPool) { self.pool = pool }

    /// For all texts that the pool has by now.
    mutating func makeRoom() {
        let count = pool.count
        if count > numbers.count { numbers += repeatElement(Self.none, count: count - numbers.count) }
    }

    /// Sets the numbers of rows whose texts have one; gives the other rows.
    func translate(_ texts: [UInt32], of rows: RowSelection, into codes: inout [UInt32]) -> [Int] {
        var others: [Int] = []
        let numbers = numbers
        rows.eachRow { row in
            let text = Int(texts[row])
            let number = text < numbers.count ? numbers[text] : Self.none
            codes[row] = number
            if number == Self.none { others.append(row) }
        }
        return others
    }

    /// Those among some texts that have no number yet, each once; they are to be given one next.
    mutating func new(among texts: some Sequence<UInt32>) -> [UInt32] {
        texts.filter { text in
            guard Int(text) < numbers.count, numbers[Int(text)] == Self.none else { return false }
            numbers[Int(text)] = Self.awaited
            return true
        }
    }

    func has(_ text: UInt32) -> Bool { Int(text) < numbers.count && numbers[Int(text)] != Self.none }

    subscript(text: UInt32) -> UInt32 {
        get { numbers[Int(text)] }
        set { numbers[Int(text)] = newValue }
    }

    /// The texts that have one.
    var known: [UInt32] { numbers.indices.lazy.map { UInt32($0) }.filter { numbers[Int($0)] != Self.none } }
}
