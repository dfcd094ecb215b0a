import Foundation
import Projection

/// Texts as TextOptions describes them, for the letters of ``Texts``: foldings by a table and by Foundation's decompositions.
enum NaiveText {
    /// Unicode's full case folding of what is no ASCII among the letters.
    private static let folded: [Unicode.Scalar: String] = [
        "É": "é", "Ö": "ö", "ß": "ss", "ẞ": "ss", "Ł": "ł", "Å": "å", "\u{212B}": "å", "ς": "σ", "Σ": "σ", "Ж": "ж",
        "İ": "i\u{307}", "ﬁ": "fi",
    ]

    static func fold(_ text: String, _ options: TextOptions) -> String {
        var text = text
        if options.contains(.caseInsensitive) {
            var result = ""
            for scalar in text.unicodeScalars {
                if let known = folded[scalar] {
                    result += known
                } else if ("A"..."Z").contains(scalar) {
                    result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) + 32))
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
            text = result
        }
        if options.contains(.diacriticInsensitive) {
            var result = String.UnicodeScalarView()
            // Accents above and below, and the points of Hebrew; not the voicing of kana, nor vowels of Indic scripts.
            for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
            where !(0x300...0x36F).contains(scalar.value) && !(0x5B0...0x5BD).contains(scalar.value) {
                result.append(scalar)
            }
            text = String(result)
        }
        return text
    }

    /// -1, 0 or 1 by the scalars of the canonical compositions.
    static func order(_ a: String, _ b: String) -> Int {
        let a = a.precomposedStringWithCanonicalMapping.unicodeScalars
        let b = b.precomposedStringWithCanonicalMapping.unicodeScalars
        return a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    }

    /// Of characters.
    static func contains(_ text: String, _ piece: String) -> Bool {
        let (text, piece) = (Array(text), Array(piece))
        guard piece.count <= text.count else { return false }
        return (0...(text.count - piece.count)).contains { Array(text[$0..<($0 + piece.count)]) == piece }
    }

    /// A wildcard pattern whose literal parts are folded, against a folded text.
    static func isLike(_ text: String, _ pattern: String, _ options: TextOptions) -> Bool {
        enum Part: Equatable { case one, many, literal(String) }
        var parts: [Part] = []
        func append(_ character: Character) {
            if case .literal(let text) = parts.last {
                parts[parts.count - 1] = .literal(text + String(character))
            } else {
                parts.append(.literal(String(character)))
            }
        }
        var isEscaped = false
        for character in pattern {
            if isEscaped {
                append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "?" {
                parts.append(.one)
            } else if character == "*" {
                parts.append(.many)
            } else {
                append(character)
            }
        }
        if isEscaped { append("\\") }
        // Which prefixes of the text the parts so far fit.
        let text = Array(fold(text, options))
        var fitting: Set<Int> = [0]
        for part in parts {
            switch part {
            case .one: fitting = Set(fitting.filter { $0 < text.count }.map { $0 + 1 })
            case .many: fitting = fitting.min().map { Set($0...text.count) } ?? []
            case .literal(let literal):
                let literal = Array(fold(literal, options))
                fitting = Set(
                    fitting.filter { text[$0...].starts(with: literal) }.map { $0 + literal.count })
            }
        }
        return fitting.contains(text.count)
    }
}
