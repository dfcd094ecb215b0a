package import EventLog

/// How values compare: in predicates, where some pairs have no order, and in sorting, where all have.
package enum ValueOrder {
    /// -1, 0 or 1; nil when the two have no order: null, NaN, or different kinds.
    ///
    /// An integer and a double compare as the real numbers they are, without rounding either.
    package static func compare(_ a: Value, _ b: Value) -> Int? {
        switch (a, b) {
        case (.int(let a), .int(let b)), (.int(let a), .counter(let b)), (.counter(let a), .int(let b)),
            (.counter(let a), .counter(let b)):
            sign(a, b)
        case (.double(let a), .double(let b)), (.date(let a), .date(let b)): a.isNaN || b.isNaN ? nil : sign(a, b)
        case (.int(let a), .double(let b)), (.counter(let a), .double(let b)): compare(a, b)
        case (.double(let a), .int(let b)), (.double(let a), .counter(let b)): compare(b, a).map { -$0 }
        case (.string(let a), .string(let b)): TextOrder.compare(a, b)
        case (.bool(let a), .bool(let b)): sign(a ? 1 : 0, b ? 1 : 0)
        case (.uuid(let a), .uuid(let b)): sign(a, b)
        case (.reference(let a), .reference(let b)): sign(a, b)
        case (.blob(let a), .blob(let b)): sign(a.id, b.id)
        case (.data(let a), .data(let b)): a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        default: nil
        }
    }

    /// The order of an integer and a double; nil for NaN.
    package static func compare(_ a: Int64, _ b: Double) -> Int? {
        if b.isNaN { return nil }
        // 2^63 is a double; below it, and from -2^63, every truncated double is an Int64.
        if b >= 0x1p63 { return -1 }
        if b < -0x1p63 { return 1 }
        let whole = b.rounded(.towardZero)
        let order = sign(a, Int64(whole))
        if order != 0 { return order }
        return sign(whole, b)
    }

    /// A total order for sorting: null, then bool, numbers with NaN last, strings, dates, UUIDs, data, blobs, references.
    package static func sort(_ a: Value, _ b: Value) -> Int {
        if let order = compare(a, b) { return order }
        let order = sign(rank(a), rank(b))
        // Of one rank and without order: at least one is NaN, and NaN comes last.
        return order != 0 ? order : sign(isNaN(a) ? 1 : 0, isNaN(b) ? 1 : 0)
    }

    private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }

    private static func isNaN(_ value: Value) -> Bool {
        switch value {
        case .double(let number), .date(let number): number.isNaN
        default: false
        }
    }

    private static func rank(_ value: Value) -> Int {
        switch value {
        case .null: 0
        case .bool: 1
        case .int, .double, .counter: 2
        case .string: 3
        case .date: 4
        case .uuid: 5
        case .data: 6
        case .blob: 7
        case .reference: 8
        }
    }
}
