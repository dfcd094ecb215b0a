// Invariants
// * Numbers begin at 0 and have no gaps; `spellings[n]` is how number n was spelled when it came.
// * A number is in `respelled` once a key of it came that was spelled otherwise.
// * What is an integer is in `integers` alone, also when it is a double; `others` has what its callers do not know to be new.

import EventLog

/// The keys met so far: a number for each, the same for values that groups take as equal.
struct KeyRegister: Sendable {
    private(set) var spellings: [Value] = []
    private(set) var respelled: Set<UInt32> = []
    private var integers = CodeTable()
    private var others: [EqualityKey: UInt32] = [:]

    /// The number of an integer of a column of integers, where each is spelled in one way.
    @inline(__always)
    mutating func code(of number: Int64, isCounter: Bool) -> UInt32 {
        integers.code(of: UInt64(bitPattern: number)) {
            Self.append(isCounter ? .counter(number) : .int(number), to: &spellings)
        }
    }

    /// The number of a key.
    mutating func code(of value: Value) -> UInt32 {
        let code: UInt32 =
            switch value {
            case .int(let number), .counter(let number): code(of: number, spelled: value)
            case .double(let number):
                if let whole = Int64(exactly: number) { code(of: whole, spelled: value) } else { codeOfOther(value) }
            default: codeOfOther(value)
            }
        if spellings[Int(code)] != value { respelled.insert(code) }
        return code
    }

    /// The number of a key that did not come before in this spelling.
    mutating func code(ofNew value: Value) -> UInt32 {
        switch value {
        case .double(let number) where !number.isNaN && Int64(exactly: number) == nil: Self.append(value, to: &spellings)
        case .date(let seconds) where !seconds.isNaN && seconds != 0: Self.append(value, to: &spellings)
        case .string(let text) where Self.hasOneSpelling(text): Self.append(value, to: &spellings)
        default: code(of: value)
        }
    }

    /// The number of a text of a pool, which did not come before.
    mutating func code(ofNew pooled: TextPool.Text) -> UInt32 {
        let value = Value.string(pooled.text)
        return pooled.isAlone ? Self.append(value, to: &spellings) : code(of: value)
    }

    private mutating func code(of whole: Int64, spelled value: Value) -> UInt32 {
        integers.code(of: UInt64(bitPattern: whole)) { Self.append(value, to: &spellings) }
    }

    private mutating func codeOfOther(_ value: Value) -> UInt32 {
        let key = EqualityKey(value)
        if let code = others[key] { return code }
        let code = Self.append(value, to: &spellings)
        others[key] = code
        return code
    }

    private static func append(_ value: Value, to spellings: inout [Value]) -> UInt32 {
        spellings.append(value)
        return UInt32(spellings.count - 1)
    }

    /// Whether no other string can be equal to this one: it is ASCII, and without those that another scalar (U+037E, U+1FEF,
    /// U+212A) is equivalent to.
    static func hasOneSpelling(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 && !ByteTest.isDoubled($0) }
    }
}
