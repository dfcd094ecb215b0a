import EventLog

/// A row's place in an order, made to be compared fast: the first criterion as a number where its type allows.
struct SortPlace: Sendable {
    /// What of the first criterion is put into bits, ascending whatever its direction: null, values, NaN.
    struct Lead: Comparable, Sendable {
        var rank: UInt8 = 0
        var bits: UInt64 = 0

        static func < (a: Lead, b: Lead) -> Bool { a.rank != b.rank ? a.rank < b.rank : a.bits < b.bits }

        var reversed: Lead { Lead(rank: 2 - rank, bits: ~bits) }

        static let null = Lead(rank: 0, bits: 0)

        init(rank: UInt8 = 0, bits: UInt64 = 0) {
            self.rank = rank
            self.bits = bits
        }

        @inline(__always)
        init(_ number: Int64) {
            rank = 1
            bits = UInt64(bitPattern: number) ^ 1 << 63
        }

        @inline(__always)
        init(_ number: Double) {
            if number.isNaN {
                self.init(rank: 2)
            } else {
                // 0.0 for both zeros; negative numbers turn around, since their bits grow away from zero.
                let pattern = number == 0 ? 0 : number.bitPattern
                self.init(rank: 1, bits: pattern >> 63 == 0 ? pattern | 1 << 63 : ~pattern)
            }
        }

        /// Of the types that ``SortPlace/hasLead(_:)`` names.
        init(_ value: Value) {
            switch value {
            case .int(let number), .counter(let number): self.init(number)
            case .double(let number), .date(let number): self.init(number)
            case .bool(let flag): self.init(rank: 1, bits: flag ? 1 : 0)
            default: self = .null
            }
        }
    }

    let lead: Lead
    /// The criteria that the lead does not hold.
    let values: [Value]
    let id: ObjectID
    let position: ScanPosition

    /// Whether a criterion of the type is all in its lead.
    static func hasLead(_ type: ValueType) -> Bool {
        switch type {
        case .int, .counter, .double, .date, .bool: true
        default: false
        }
    }
}
