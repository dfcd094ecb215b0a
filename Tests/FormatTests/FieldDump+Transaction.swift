import EventLog
import Storage

// Part 0 of a transaction: SPEC.md, sections 3.1 and 3.2.
extension FieldDump {
    mutating func transaction(upTo end: Int) {
        heading("transaction (3.1)")
        number(1, "flags")
        timestamp()
        string("author")
        for _ in 0..<varint("context: number of entries") {
            id("context: origin")
            varint("context: sequence")
            id("context: chain")
        }
        for _ in 0..<varint("origins: number") { id("origin") }
        for number in 0..<varint("entities: number") { string("entity \(number)") }
        var types: [ValueType] = []
        for column in 0..<varint("columns: number") {
            varint("column \(column): entity number")
            string("column \(column): name")
            types.append(ValueType(rawValue: UInt8(number(1, "column \(column): type"))) ?? .bool)
        }
        while at < end { group(types) }
    }

    private mutating func group(_ types: [ValueType]) {
        heading("change group (3.2)")
        let kind = number(1, "kind")
        let length = Int(varint("length"))
        let end = at + length
        switch kind {
        case 1: insert(types)
        case 2: update(types)
        default: field(length, "not explained here")
        }
        if at < end { field(end - at, "NOT EXPLAINED") }
    }

    private mutating func insert(_ types: [ValueType]) {
        varint("entity number")
        let n = Int(varint("n"))
        ints("indexes", n)
        for _ in 0..<varint("k, the number of columns") {
            let column = Int(varint("column number"))
            values("values", n, types[column])
        }
    }

    private mutating func update(_ types: [ValueType]) {
        varint("entity number")
        let n = Int(varint("n"))
        replicas("objects", n)
        ints("objects: sequences", n)
        ints("objects: indexes", n)
        ints("lengths", n)
        for _ in 0..<varint("k, the number of columns") {
            let column = Int(varint("column number"))
            values("new values", n, types[column])
            values("old values", n, types[column])
            let stamps = presence("old stamps", n)
            guard stamps > 0 else { continue }
            ints("old stamps: timestamps", stamps)
            replicas("old stamps", stamps)
        }
    }

    private mutating func ints(_ name: String, _ n: Int) {
        zigzag("\(name): base")
        let width = Int(number(1, "\(name): width"))
        if width > 0 { field(n * width, "\(name): \(n) × u\(width * 8), to be added to the base") }
    }

    private mutating func replicas(_ name: String, _ n: Int) {
        if number(1, "\(name): replica numbers (0: one for all)") == 0 {
            varint("\(name): replica number")
        } else {
            for _ in 0..<n { varint("\(name): replica number") }
        }
    }

    private mutating func presence(_ name: String, _ n: Int) -> Int {
        switch number(1, "\(name): presence (0: all, 1: none, 2: bits)") {
        case 0: n
        case 1: 0
        default: field((n + 7) / 8, "\(name): presence bits").reduce(0) { $0 + $1.nonzeroBitCount }
        }
    }

    private mutating func values(_ name: String, _ n: Int, _ type: ValueType) {
        let present = presence(name, n)
        guard present > 0 else { return }
        switch type {
        case .int, .counter: ints(name, present)
        case .string:
            let start = at
            ints("\(name): byte counts", present)
            let base = bytes[start] >> 1
            // One row, or rows of one length: the base is the count.
            let text = String(decoding: bytes[at..<at + Int(base) * present], as: UTF8.self)
            field(Int(base) * present, "\(name): \"\(text)\"")
        default: field((present + 7) / 8, "\(name): bits")
        }
    }
}
