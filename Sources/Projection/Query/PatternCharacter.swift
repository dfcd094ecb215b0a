/// What one character of a text is to be: a letter, a class, a dot, as a pattern writes it.
///
/// What a class means is left to `Regex`, which is asked once for each character.
final class PatternCharacter {
    private let literal: Character?
    private let regex: Regex<AnyRegexOutput>
    private var ascii: [Bool?]
    private var others: [Character: Bool] = [:]
    private static let mostRemembered = 4096

    /// - Parameter text: as the pattern has it.
    init(_ text: String, ignoresCase: Bool) throws {
        regex = try Regex<AnyRegexOutput>(text).ignoresCase(ignoresCase)
        literal = text.count == 1 && text != "." && !ignoresCase ? text.first : nil
        ascii = [Bool?](repeating: nil, count: 128)
    }

    func fits(_ character: Character) -> Bool {
        if let literal { return literal == character }
        if let value = character.asciiValue, character != "\r\n" {
            if let known = ascii[Int(value)] { return known }
            let answer = ask(character)
            ascii[Int(value)] = answer
            return answer
        }
        if let known = others[character] { return known }
        let answer = ask(character)
        if others.count == Self.mostRemembered { others.removeAll(keepingCapacity: true) }
        others[character] = answer
        return answer
    }

    private func ask(_ character: Character) -> Bool { (try? regex.wholeMatch(in: String(character))) != nil }
}
