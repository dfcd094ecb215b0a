/// Texts of numbers that read back bit by bit, those that JSON has no number for among them.
package enum ExactNumber {
    private static let bits = "nan(0x"

    /// The fewest digits that read back: `0.1`, `1e+300`, `inf`, `-inf`, `nan`.
    ///
    /// A NaN of other bits than usual is written by them: `nan(0x7ff8000000000001)`.
    package static func text(_ number: Double) -> String {
        guard number.isNaN, number.bitPattern != Double.nan.bitPattern else { return number.description }
        return bits + String(number.bitPattern, radix: 16) + ")"
    }

    /// The number of such a text; nil for any other text.
    package static func number(_ text: String) -> Double? {
        guard text.hasPrefix(bits), text.hasSuffix(")") else { return Double(text) }
        let number = UInt64(text.dropFirst(bits.count).dropLast(), radix: 16).map { Double(bitPattern: $0) }
        return number.flatMap { $0.isNaN ? $0 : nil }
    }

    /// The number that JSON has none for, NaN or infinite, of its text; nil for any other text.
    package static func special(_ text: String) -> Double? {
        guard let number = number(text), !number.isFinite, self.text(number) == text else { return nil }
        return number
    }
}
