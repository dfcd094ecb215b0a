/// What lies at the start of some bytes, read by the grammar of a JSON number.
struct JSONNumberScan {
    /// 10^0 to 10^22 are the powers of ten that a Double holds exactly.
    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// The first byte that does not belong to the number.
    private(set) var end: Int
    /// What should have been at `end`, if the number cannot end there.
    private(set) var expected: String?
    /// Whether it has neither a fraction nor an exponent.
    private(set) var isInteger = true
    private var isNegative = false
    /// All digits as one number, unless they are too many.
    private var digits: UInt64 = 0
    private var significant = 0
    /// The power of ten to multiply `digits` with.
    private var exponent = 0

    init(_ bytes: borrowing Span<UInt8>, from start: Int) {
        end = start
        if bytes[end] == UInt8(ascii: "-") {
            isNegative = true
            end += 1
        }
        let first = end
        guard takeDigits(bytes) else { return }
        if bytes[first] == UInt8(ascii: "0"), end > first + 1 {
            end = first + 1
            expected = "'.', an exponent or the end of the number after a leading zero"
            return
        }
        if bytes[end] == UInt8(ascii: ".") {
            isInteger = false
            end += 1
            let point = end
            guard takeDigits(bytes) else { return }
            exponent = point - end
        }
        if bytes[end] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            end += 1
            takeExponent(bytes)
        }
    }

    /// The number, if it is an integer of 64 bits.
    var integer: Int64? {
        guard isInteger, significant <= 19 else { return nil }
        return isNegative ? Int64(exactly: -Int128(digits)) : Int64(exactly: digits)
    }

    /// The number, where one multiplication or division of two exact values rounds it correctly (Clinger 1990).
    var exactDouble: Double? {
        guard significant <= 19, digits <= 1 << 53, abs(exponent) < Self.powers.count else { return nil }
        let magnitude =
            exponent < 0 ? Double(digits) / Self.powers[-exponent] : Double(digits) * Self.powers[exponent]
        return isNegative ? -magnitude : magnitude
    }

    /// Takes at least one digit.
    ///
    /// `bytes` has some other byte behind the last.
    private mutating func takeDigits(_ bytes: borrowing Span<UInt8>) -> Bool {
        let start = end
        while true {
            let digit = bytes[end] &- 0x30
            guard digit < 10 else { break }
            end &+= 1
            if significant > 0 || digit > 0 { significant &+= 1 }
            // 19 digits always fit; with more, `digits` is no longer used.
            if significant <= 19 { digits = digits &* 10 &+ UInt64(digit) }
        }
        if end == start { expected = "a digit" }
        return end > start
    }

    private mutating func takeExponent(_ bytes: borrowing Span<UInt8>) {
        let isDown = bytes[end] == UInt8(ascii: "-")
        if isDown || bytes[end] == UInt8(ascii: "+") { end += 1 }
        let start = end
        var value = 0
        while bytes[end] &- 0x30 < 10 {
            // Far beyond what a Double reaches, the exact value no longer matters.
            value = min(value * 10 + Int(bytes[end] &- 0x30), 1_000_000)
            end += 1
        }
        if end == start { expected = "a digit" }
        exponent += isDown ? -value : value
    }
}
