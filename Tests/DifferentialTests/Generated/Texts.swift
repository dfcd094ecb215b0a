/// Random strings, made of letters whose foldings ``NaiveText`` lists.
enum Texts {
    /// One scalar each, once composed.
    private static let letters: [String] = [
        "é", "e\u{301}", "É", "E\u{301}", "ö", "o\u{308}", "Ö", "ß", "ẞ", "ø", "Ł", "ñ", "Å", "\u{212B}", "ς", "σ", "Σ", "ά",
        "Ж", "ж", "й", "İ", "ı", "日", "本", "が", "か\u{3099}", "한", "\u{1112}\u{1161}\u{11AB}", "ệ", "e\u{323}\u{302}",
        "😀", "🌊", "€", "ﬁ", "\u{FFFD}", "\u{10FFFF}", "א", "ا",
    ]
    /// Several scalars each, even when composed.
    private static let clusters: [String] = [
        "👩‍👩‍👧", "🇩🇪", "🇫🇷", "x\u{301}", "q\u{323}\u{307}", "q\u{307}\u{323}", "\r\n", "\n", "❤️", "👍🏽", "1️⃣", "א\u{5B7}", "नि",
    ]
    private static let plain: [String] = [
        "a", "b", "A", "B", "e", "o", "s", "S", "i", "I", " ", "%", "_", "*", "?", "\\", "'", "0", "-", "[",
    ]

    /// Never contains a NUL, at which SQLite ends a string.
    static func text(_ flavour: Flavour, _ dice: inout Dice) -> String {
        switch flavour {
        case .tame: join(["a", "b", "A", "e"], 0...3, &dice)
        case .wide: join(plain, 0...12, &dice) + (dice.chance(3) ? String(repeating: "long ", count: 120) : "")
        case .wild: join(plain + letters + letters, 0...6, &dice)
        case .odd: join(plain + letters + clusters + clusters, 0...5, &dice)
        }
    }

    private static func join(_ parts: [String], _ count: ClosedRange<Int>, _ dice: inout Dice) -> String {
        (0..<dice.number(count)).map { _ in dice.pick(parts) }.joined()
    }

    /// A piece of a text, whole characters of it, or something else.
    static func piece(of text: String, _ dice: inout Dice) -> String {
        let characters = Array(text)
        guard !characters.isEmpty, dice.chance(85) else { return dice.pick(["", "a", "é", "e", "\u{301}", "s", "b%"]) }
        let start = dice.number(0...(characters.count - 1))
        let end = dice.number(start...min(characters.count, start + 4))
        switch dice.number(0...3) {
        case 0: return String(characters[..<end].prefix(6))
        case 1: return String(characters[start...].suffix(5))
        default: return String(characters[start..<end])
        }
    }

    /// A pattern for LIKE that fits a text, more or less.
    static func pattern(for text: String, _ dice: inout Dice) -> String {
        var pattern = ""
        for character in text.prefix(12) {
            switch dice.number(0...9) {
            case 0: pattern += "?"
            case 1: pattern += "*"
            case 2: pattern += "\\" + String(character)
            case 3 where dice.chance(30): pattern += "\\?"
            default: pattern += ["*", "?", "\\"].contains(character) ? "\\" + String(character) : String(character)
            }
        }
        return (dice.chance(30) ? "*" : "") + pattern + (dice.chance(text.count > 12 ? 95 : 30) ? "*" : "")
            + (dice.chance(3) ? "\\" : "") + (dice.chance(6) ? "?" : "")
    }
}
