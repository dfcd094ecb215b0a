import EventLog
import Projection
import Simulation
import Storage

/// Rows of a schema of its own, spread over blocks and leftovers, and questions about them, from a seed.
struct RandomScan {
    private var random: SplitMix64
    let shape: EntityShape
    let properties: [Property]
    private(set) var source: ScanSource<ArrayScanBlock, SampleRow>
    /// All rows once, in the order in which a scan comes by them.
    private(set) var rows: [SampleRow] = []

    init(seed: UInt64, blocks: Int, rowsPerBlock: Int) {
        random = SplitMix64(seed: seed)
        let types: [ValueType] = [.bool, .int, .int, .double, .double, .string, .string, .date, .uuid, .data, .counter]
        properties = types.enumerated().map { Property("p\($0.offset)", $0.element) }
        var fields: [WireName: EntityShape.Field] = [:]
        for property in properties { fields[WireName(property.name)] = EntityShape.Field(types: [property.type]) }
        for name in ["author", "attachments"] { fields[WireName(name)] = EntityShape.post.fields[WireName(name)] }
        shape = EntityShape(name: "Thing", fields: fields, entity: EntityShape.post.entity)
        source = ScanSource(blocks: [])
        fill(blocks: blocks, rowsPerBlock: rowsPerBlock)
    }

    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    mutating func pick<T>(_ choices: [T]) -> T { choices[number(below: choices.count)] }

    private mutating func fill(blocks blockCount: Int, rowsPerBlock: Int) {
        let unresolved = Set(properties.filter { _ in number(below: 12) == 0 })
        // Some columns have no nulls, some nothing but nulls, and some few values.
        let habits = properties.map { _ in (nulls: pick([0, 0, 4, 100]), narrow: number(below: 2) == 0) }
        var places = (0..<blockCount).map { _ in [SampleRow]() }
        var known: [ObjectID: SampleRow] = [:]
        var left: [SampleRow] = []
        var taken = Set<UInt64>()
        for _ in 0..<blockCount * rowsPerBlock {
            let sequence = UInt64(number(below: 1_000_000) + 1)
            guard taken.insert(sequence).inserted else { continue }
            let row = row(sequence, habits)
            known[row.id] = row
            let place = number(below: blockCount + 1)
            if place == blockCount { left.append(row) } else { places[place].append(row) }
        }
        // Most blocks number their texts in one pool, some in another one, some in none.
        let pools = (0..<2).map { _ in Dictionary(uniqueKeysWithValues: properties.map { ($0, TextPool()) }) }
        var blocks: [ArrayScanBlock] = []
        for current in places {
            var isStale: [ObjectID: Bool] = [:]
            var stored = current
            for _ in 0..<number(below: 5) {
                let stale = row(UInt64(number(below: 1_000_000) + 1), habits)
                if known[stale.id] != nil || isStale[stale.id] != nil { continue }
                isStale[stale.id] = true
                stored.append(stale)
            }
            stored.sort { $0.id < $1.id }
            var excluded = [UInt64](repeating: 0, count: (stored.count + 63) / 64)
            for (index, row) in stored.enumerated() where isStale[row.id] == true {
                excluded[index / 64] |= 1 << UInt64(index % 64)
            }
            rows += stored.filter { isStale[$0.id] == nil }
            // What a block has of an unresolved column is not what the row says.
            for index in stored.indices {
                for property in unresolved { stored[index].values[property] = value(property.type, narrow: true) }
            }
            var block = ArrayScanBlock(stored, properties: Set(properties), excluded: isStale.isEmpty ? nil : excluded)
            switch taken.count % 11 {
            case 0..<4: break
            case 4: block.pools = pools[1]
            default: block.pools = blocks.count % 5 == 4 ? [:] : pools[0]
            }
            blocks.append(block)
        }
        rows += left
        let rowsByID = known
        source = ScanSource(blocks: blocks, rows: left, unresolved: unresolved, row: { rowsByID[$0] })
    }

    private mutating func row(_ sequence: UInt64, _ habits: [(nulls: Int, narrow: Bool)]) -> SampleRow {
        var row = SampleRow(sequence)
        for (property, habit) in zip(properties, habits) {
            if number(below: 100) < habit.nulls {
                if number(below: 2) == 0 { row.values[property] = .null }
            } else {
                row.values[property] = value(property.type, narrow: habit.narrow)
            }
        }
        row.links["attachments"] = (0..<number(below: 3)).map {
            SampleRow(2_000_000 + UInt64($0), [.size: value(.int, narrow: true)])
        }
        if number(below: 2) == 0 { row.links["author"] = [SampleRow(3_000_000, [.authorName: value(.string, narrow: true)])] }
        return row
    }

    mutating func value(_ type: ValueType, narrow: Bool) -> Value {
        switch type {
        case .bool: return .bool(number(below: 2) == 0)
        case .int: return .int(narrow ? Int64(number(below: 9) - 4) : pick(Self.integers))
        case .counter: return .counter(Int64(number(below: 9)))
        case .double: return .double(narrow ? Double(number(below: 9) - 4) / 2 : pick(Self.doubles))
        case .date: return .date(narrow ? Double(number(below: 9) * 86_400) : pick(Self.doubles))
        case .uuid: return .uuid(.init(high: 1, low: UInt64(number(below: 4))))
        case .data: return .data((0..<number(below: 3)).map { UInt8($0) })
        default: return .string(narrow ? pick(Self.words) : pick(Self.texts))
        }
    }

    private static let integers: [Int64] = [
        .min, .min + 1, -1 << 53, -3, -1, 0, 1, 2, 1 << 53, 1 << 53 + 1, .max - 512, .max - 1, .max,
    ]
    private static let doubles: [Double] = [
        -.infinity, -0x1p63, -0x1p53, -1.5, -1, -0.0, 0, .leastNonzeroMagnitude, 0.5, 1, 2, 0x1p53, 0x1p63, 1e300, .infinity,
        .nan, .greatestFiniteMagnitude, 1e-9,
    ]
    private static let patterns = [
        "*", "a*", "*quick*", "?", "??", "*é*", "the*dog", "K", "\u{212A}", "*;", "*\r\n*", "a?b", "*\n", "?u?", "*o*o*",
        "*\\**",
        "*ing*", "The quick*twice", "",
    ]
    private static let words = ["", "a", "A", "ab", "abc", "B", "b", "K", "k", "zz"]
    private static let texts = [
        "", "é", "e\u{301}", "e", "E", "É", "ß", "ss", "SS", "İ", "ı", "i", "\u{212A}", "K", "k", "\r\n", "\n", "a\r\nb",
        "Ångström", "A\u{30a}ngstro\u{308}m", "ångström", ";", "\u{37e}", "`", "\u{1fef}", "한국", "ﬁsh", "fish", "ſun", "sun",
        "the quick brown fox jumps over the lazy dog", "The Quick Brown Fox jumps over the lazy dog, twice",
        "xxthe quick brown fox e\u{301} jumps over the lazy dog", "Việt Nam", "Viet Nam", "ae\u{301}b", "aeb", "\u{301}",
    ]
}

// Questions.
extension RandomScan {
    mutating func filter(depth: Int = 3) -> Filter {
        guard depth > 0, number(below: 3) > 0 else { return comparison() }
        switch number(below: 3) {
        case 0: return .and((0..<2 + number(below: 2)).map { _ in filter(depth: depth - 1) })
        case 1: return .or((0..<2 + number(below: 2)).map { _ in filter(depth: depth - 1) })
        default: return .not(filter(depth: depth - 1))
        }
    }

    private mutating func comparison() -> Filter {
        if number(below: 25) == 0 { return .always(number(below: 2) == 0) }
        let comparator = pick(Comparison.Operator.allCases)
        let property = pick(properties)
        let count = comparator == .between ? 2 : comparator == .in ? number(below: 12) : 1
        let options: TextOptions =
            property.type == .string
            ? pick([[], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
            : []
        var left = Operand.property(property.name)
        var quantifier: Comparison.Quantifier?
        switch number(below: 12) {
        case 0:
            left = .path(PropertyPath(["attachments", "size"]))
            quantifier = pick([.any, .all, .none] as [Comparison.Quantifier])
        case 1: left = .path(PropertyPath(["author", "name"]))
        case 2: left = .arithmetic(left, pick([.add, .subtract, .multiply, .divide]), .property(pick(properties).name))
        case 3: left = .path(PropertyPath(["attachments"], countsObjects: true))
        default: break
        }
        let values = (0..<count).map { _ in right(property.type, comparator) }
        return .comparison(Comparison(left, comparator, values, options: options, quantifier: quantifier))
    }

    private mutating func right(_ type: ValueType, _ comparator: Comparison.Operator) -> Operand {
        if comparator == .like { return .constant(.string(pick(Self.patterns))) }
        if comparator == .matches { return .constant(.string(pick([".*", "a.*", "[a-z ]+", "K"]))) }
        switch number(below: 14) {
        case 0: return .constant(.null)
        case 1: return .property(pick(properties).name)
        case 2: return .constant(value(.double, narrow: false))
        case 3 where type == .string: return .constant(.string(pick(["quick", "QUICK", "fox e", "lazy dog", "n", "ngstr"])))
        default: return .constant(value(type, narrow: number(below: 2) == 0))
        }
    }

    mutating func sort() -> [SortKey] {
        (0..<number(below: 3)).map { _ in
            let path = pick(
                properties.map { PropertyPath($0.name) } + [
                    PropertyPath(["author", "name"]), PropertyPath(["attachments"], countsObjects: true),
                ])
            return SortKey(path, ascending: number(below: 2) == 0, options: pick([[], [], .caseInsensitive]))
        }
    }

    mutating func keys() -> [PropertyPath] {
        (0..<number(below: 4)).map { _ in
            pick(properties.map { PropertyPath($0.name) } + [PropertyPath(["author", "name"])])
        }
    }

    mutating func aggregates() -> [Aggregate] {
        (0..<number(below: 5)).map { _ in
            let path = pick(properties.map { PropertyPath($0.name) } + [PropertyPath(["attachments"], countsObjects: true)])
            return number(below: 5) == 0 ? .count : Aggregate(pick(Aggregate.Function.allCases), path)
        }
    }
}
