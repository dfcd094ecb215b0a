// Invariants
// * A jump or split leads to a step of the program, or just behind the last one: there the pattern has ended.
// * Per character each step is looked at once: time is at most steps times characters, whatever the pattern is.

/// A pattern as steps that are followed side by side (Thompson 1968), so that none is tried twice at one place of a text.
struct PatternProgram {
    enum Step {
        /// Goes on behind one character that fits.
        case character(Int)
        case jump(Int)
        case split(Int, Int)
        /// Goes on at the beginning of the text only.
        case start
        /// Goes on at the end of the text only.
        case end
        /// Goes on where a word begins or ends, or where none does.
        case boundary(Bool)
    }

    /// Most patterns have a hundred; counts such as `{3,900}` are written out.
    static let maximumSteps = 10_000

    let characters: [PatternCharacter]
    let steps: [Step]

    /// Whether all of a text fits.
    func matches(_ text: String) -> Bool {
        let boundaries = hasBoundaries ? Self.boundaries(of: text) : []
        let text = Array(text)
        var active = Active(count: steps.count)
        var next = active
        enter(0, at: 0, of: text, boundaries, into: &active)
        for (place, character) in text.enumerated() {
            if active.places.isEmpty { return false }
            next.removeAll()
            for step in active.places {
                guard case .character(let number) = steps[step], characters[number].fits(character) else { continue }
                enter(step + 1, at: place + 1, of: text, boundaries, into: &next)
            }
            swap(&active, &next)
        }
        return active.isEnded
    }

    private var hasBoundaries: Bool {
        steps.contains { if case .boundary = $0 { true } else { false } }
    }

    /// The places of a text at which a word begins or ends.
    private static func boundaries(of text: String) -> Set<Int> {
        guard let regex = try? Regex<AnyRegexOutput>("\\b") else { return [] }
        var found: Set<Int> = []
        var (index, place) = (text.startIndex, 0)
        for match in text.matches(of: regex) {
            place += text.distance(from: index, to: match.range.lowerBound)
            index = match.range.lowerBound
            found.insert(place)
        }
        return found
    }

    private func enter(
        _ first: Int, at place: Int, of text: [Character], _ boundaries: Set<Int>, into active: inout Active
    ) {
        var waiting = [first]
        while let step = waiting.popLast() {
            guard step < steps.count else {
                active.isEnded = true
                continue
            }
            guard active.insert(step) else { continue }
            switch steps[step] {
            case .character: active.places.append(step)
            case .jump(let target): waiting.append(target)
            case .split(let a, let b):
                waiting.append(b)
                waiting.append(a)
            case .start: if place == 0 { waiting.append(step + 1) }
            case .boundary(let isWanted): if boundaries.contains(place) == isWanted { waiting.append(step + 1) }
            case .end: if place == text.count { waiting.append(step + 1) }
            }
        }
    }

    /// The steps that are followed at one place of a text.
    private struct Active {
        var places: [Int] = []
        var isEnded = false
        /// By step: the round in which it was entered last.
        private var entered: [Int]
        private var round = 1

        init(count: Int) { entered = [Int](repeating: 0, count: count) }

        mutating func insert(_ step: Int) -> Bool {
            if entered[step] == round { return false }
            entered[step] = round
            return true
        }

        mutating func removeAll() {
            places.removeAll(keepingCapacity: true)
            isEnded = false
            round += 1
        }
    }
}
