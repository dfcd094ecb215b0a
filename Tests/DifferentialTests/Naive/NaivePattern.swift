import Projection

/// A small regular expression whose meaning is known without reading it.
struct NaivePattern: Sendable {
    enum Atom: Sendable {
        case letter(Character), any, oneOf([Character])
    }
    enum Times: String, Sendable, CaseIterable {
        case once = "", optional = "?", star = "*", plus = "+"
    }
    struct Item: Sendable {
        let atom: Atom
        let times: Times
    }

    /// One of these fits.
    let alternatives: [[Item]]

    init(_ dice: inout Dice) {
        let letters: [Character] = ["a", "b", "A", "B", "e", "é", "s"]
        alternatives = (0..<dice.number(1...2)).map { _ in
            (0..<dice.number(1...4)).map { _ in
                let atom: Atom =
                    switch dice.number(0...5) {
                    case 0, 1: .any
                    case 2: .oneOf(Array(Set(dice.some(letters, atMost: 3) + ["a"])).sorted())
                    default: .letter(dice.pick(letters))
                    }
                return Item(atom: atom, times: dice.pick(Times.allCases))
            }
        }
    }

    var text: String {
        alternatives.map { $0.map { "\($0.atom.text)\($0.times.rawValue)" }.joined() }.joined(separator: "|")
    }

    func matches(_ text: String, _ options: TextOptions) -> Bool {
        let text = Array(NaiveText.fold(text, options.subtracting(.caseInsensitive)))
        return alternatives.contains { items in
            var fitting: Set<Int> = [0]
            for item in items {
                func step(_ places: Set<Int>) -> Set<Int> {
                    Set(places.filter { $0 < text.count && item.atom.fits(text[$0], options) }.map { $0 + 1 })
                }
                let first = step(fitting)
                var more = first
                if item.times == .star || item.times == .plus {
                    while true {
                        let next = more.union(step(more))
                        if next == more { break }
                        more = next
                    }
                }
                switch item.times {
                case .once: fitting = first
                case .optional: fitting.formUnion(first)
                case .star: fitting.formUnion(more)
                case .plus: fitting = more
                }
            }
            return fitting.contains(text.count)
        }
    }
}

extension NaivePattern.Atom {
    fileprivate var text: String {
        switch self {
        case .letter(let letter): String(letter)
        case .any: "."
        case .oneOf(let letters): "[" + String(letters) + "]"
        }
    }

    fileprivate func fits(_ character: Character, _ options: TextOptions) -> Bool {
        func isSame(_ letter: Character) -> Bool {
            let letter = NaiveText.fold(String(letter), options.subtracting(.caseInsensitive))
            let text = String(character)
            return options.contains(.caseInsensitive)
                ? NaiveText.fold(letter, .caseInsensitive) == NaiveText.fold(text, .caseInsensitive) : letter == text
        }
        switch self {
        // As Regex has it: any character but a line break.
        case .any: return !character.isNewline
        case .letter(let letter): return isSame(letter)
        case .oneOf(let letters): return letters.contains(where: isSame)
        }
    }
}
