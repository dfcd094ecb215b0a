// Invariants
// * `doubles`, `dates` and `texts` have each spelling that came, with the number of its key; the register tells which spellings
//   are of one key.
// * Numbers of texts of a pool are in `pooled`. As long as no other text came they are not in `texts`; from then on all are.

import EventLog

/// A number for each value of a key, the same for values that groups take as equal.
struct KeyCodes: Sendable {
    private var register = KeyRegister()
    private var doubles = CodeTable()
    private var dates = CodeTable()
    private var texts = TextCodes()
    private var pooled: PooledNumbers?
    private var hasOtherTexts = false

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
        case .string(let text): code(of: text)
        default: register.code(of: value)
        }
    }

    /// Sets the number of each of some rows.
    mutating func codes(_ column: ColumnBlock?, of rows: RowSelection, into numbers: inout [UInt32]) {
        var rows = rows
        if let cells = column?.cells {
            var empty = rows
            rows.formIntersection(RowSelection(words: SlotBits.words(cells), rowCount: rows.rowCount))
            empty.subtract(rows)
            setNull(empty, &numbers)
        }
        guard let column else { return setNull(rows, &numbers) }
        switch column.slots {
        case .ints(let slots):
            let isCounter = column.type == .counter
            rows.eachRow { numbers[$0] = register.code(of: slots[$0], isCounter: isCounter) }
        case .doubles(let slots) where column.type == .date:
            rows.eachRow { row in
                let seconds = slots[row]
                numbers[row] = dates.code(of: seconds.bitPattern) { register.code(ofNew: .date(seconds)) }
            }
        case .doubles(let slots):
            rows.eachRow { row in
                let number = slots[row]
                numbers[row] = doubles.code(of: number.bitPattern) { register.code(ofNew: .double(number)) }
            }
        case .strings(let utf8, let ends):
            if rows.isEmpty { return }
            takeOtherTexts()
            texts.codes(utf8: utf8, ends: ends, of: rows, into: &numbers) { register.code(ofNew: .string($0)) }
        case .bools, .uuids, .values: rows.eachRow { numbers[$0] = code(of: column.value($0) ?? .null) }
        }
    }

    private mutating func setNull(_ rows: RowSelection, _ numbers: inout [UInt32]) {
        if rows.isEmpty { return }
        let null = code(of: .null)
        rows.eachRow { numbers[$0] = null }
    }

    private mutating func code(of text: String) -> UInt32 {
        takeOtherTexts()
        return texts.code(of: text) { register.code(ofNew: .string($0)) }
    }
}

// Texts of a pool.
extension KeyCodes {
    /// Sets the number of each of some rows of a block; false when its pool is another than that of blocks before.
    mutating func codes(_ block: PooledTexts, of rows: RowSelection, into numbers: inout [UInt32]) -> Bool {
        var known = pooled ?? PooledNumbers(block.pool)
        guard known.pool === block.pool else { return false }
        pooled = nil
        defer { pooled = known }
        known.makeRoom()
        // Most texts are known; those of the other rows are looked at together.
        let others = known.translate(block.codes, of: rows, into: &numbers)
        if others.isEmpty { return true }
        block.pool.eachText(of: known.new(among: others.lazy.map { block.codes[$0] })) { known[$0] = code(ofNew: $1) }
        let null = others.contains { block.codes[$0] == TextPool.null } ? code(of: .null) : 0
        for row in others { numbers[row] = block.codes[row] == TextPool.null ? null : known[block.codes[row]] }
        return true
    }

    private mutating func code(ofNew text: TextPool.Text) -> UInt32 {
        if !hasOtherTexts { return register.code(ofNew: text) }
        return texts.code(of: text.text) { _ in register.code(ofNew: text) }
    }

    /// Gets ready for a text that is in no pool: it may be one of those that came from one.
    private mutating func takeOtherTexts() {
        if hasOtherTexts { return }
        hasOtherTexts = true
        guard let pooled else { return }
        var texts = texts
        self.texts = TextCodes()
        pooled.pool.eachText(of: pooled.known) { number, text in _ = texts.code(of: text.text) { _ in pooled[number] } }
        self.texts = texts
    }

    /// The numbers that those of another have here, as far as both have them of one pool; nil for others.
    mutating func numbers(of other: KeyCodes) -> [UInt32?] {
        var result = [UInt32?](repeating: nil, count: other.count)
        guard let others = other.pooled else { return result }
        var own = pooled ?? PooledNumbers(others.pool)
        guard own.pool === others.pool else { return result }
        pooled = nil
        defer { pooled = own }
        own.makeRoom()
        let known = others.known
        own.pool.eachText(of: own.new(among: known)) { own[$0] = code(ofNew: $1) }
        for text in known { result[Int(others[text])] = own[text] }
        return result
    }

    /// The numbers in the order of their keys, null first; nil unless all keys are known to be of one pool, each spelled in one way.
    var ordered: [UInt32]? {
        guard let pooled, !hasOtherTexts, respelled.isEmpty else { return nil }
        var result: [UInt32] = []
        result.reserveCapacity(count)
        if let null = (0..<UInt32(count)).first(where: { spelling($0) == .null }) { result.append(null) }
        for text in pooled.pool.order where pooled.has(text) { result.append(pooled[text]) }
        return result.count == count ? result : nil
    }
}
