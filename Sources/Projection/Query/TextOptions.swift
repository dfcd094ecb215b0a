/// How strings are compared: the letters between brackets after an operator, as in `CONTAINS[cd]`.
///
/// Without options strings compare by Unicode canonical equivalence (`"é"` in one scalar equals `"é"` in two), and order by
/// the scalars of their canonical composition. No locale plays a part, so every replica and platform answers alike.
public struct TextOptions: OptionSet, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `c`: by Unicode's full case folding, without a locale: `ß` equals `SS`; `I` equals `i` but never the dotless `ı`.
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// `d`: without accents and points: `Ö` equals `O`, `Việt` equals `Viet`.
    ///
    /// Letters that Unicode does not decompose, such as `ø`, `ł` and `đ`, are letters of their own and stay.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)

    /// Reads `c`, `d` or both, in either case; nil for anything else.
    init?(letters: String) {
        self = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": insert(.caseInsensitive)
            case "d": insert(.diacriticInsensitive)
            default: return nil
            }
        }
        if isEmpty { return nil }
    }

    /// `[cd]`, or nothing without options.
    public var description: String {
        if isEmpty { return "" }
        return "[" + (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "") + "]"
    }
}
