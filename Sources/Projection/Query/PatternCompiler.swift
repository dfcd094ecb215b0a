// Invariants
// * `rest` is what is to be read still. Nothing is compiled that is not understood: then the pattern is none of these.

/// Reads a pattern whose structure is that of a regular language: characters, groups, alternatives and counts.
struct PatternCompiler {
    /// Why a pattern is no program.
    enum Failure: Error {
        /// It has what cannot be followed side by side, such as a back-reference.
        case isOther
        case tooLarge
    }

    private indirect enum Node {
        case step(PatternProgram.Step)
        case sequence([Node])
        case alternatives([Node])
        case repeated(Node, least: Int, most: Int?)
    }

    private var rest: Substring
    private let ignoresCase: Bool
    private var characters: [PatternCharacter] = []
    private var known: [String: Int] = [:]
    private var steps: [PatternProgram.Step] = []

    /// - Parameter pattern: one that `Regex` takes.
    static func compile(_ pattern: String, ignoresCase: Bool) throws(Failure) -> PatternProgram {
        let option = "(?i)"
        let isOptional = pattern.hasPrefix(option)
        var compiler = PatternCompiler(
            rest: isOptional ? pattern.dropFirst(option.count) : pattern[...], ignoresCase: ignoresCase || isOptional)
        let tree = try compiler.alternatives()
        guard compiler.rest.isEmpty else { throw .isOther }
        try compiler.emit(tree)
        return PatternProgram(characters: compiler.characters, steps: compiler.steps)
    }

    private init(rest: Substring, ignoresCase: Bool) {
        self.rest = rest
        self.ignoresCase = ignoresCase
    }

    private mutating func alternatives() throws(Failure) -> Node {
        var branches = [try sequence()]
        while rest.first == "|" {
            rest.removeFirst()
            branches.append(try sequence())
        }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(Failure) -> Node {
        var parts: [Node] = []
        while let next = rest.first, next != "|", next != ")" { parts.append(try counted(try item())) }
        return .sequence(parts)
    }

    private mutating func item() throws(Failure) -> Node {
        let start = rest.startIndex
        let next = rest.removeFirst()
        switch next {
        case "(": return try group()
        case "^": return .step(.start)
        case "$": return .step(.end)
        case "[":
            try skipClass()
            return try character(String(rest.base[start..<rest.startIndex]))
        case "\\":
            if let anchor = try escape() { return .step(anchor) }
            return try character(String(rest.base[start..<rest.startIndex]))
        case "*", "+", "?", "{": throw .isOther
        default:
            // An accent of its own may belong to the character before it.
            guard next.unicodeScalars.count == 1 else { throw .isOther }
            return try character(String(next))
        }
    }

    /// Behind a parenthesis.
    private mutating func group() throws(Failure) -> Node {
        if rest.first == "?" {
            rest.removeFirst()
            if rest.first == ":" {
                rest.removeFirst()
            } else if rest.hasPrefix("<"), let end = rest.firstIndex(of: ">"), rest.dropFirst().first?.isLetter == true {
                rest = rest[rest.index(after: end)...]
            } else {
                throw .isOther
            }
        } else if rest.first == "*" {
            throw .isOther
        }
        let inner = try alternatives()
        guard rest.first == ")" else { throw .isOther }
        rest.removeFirst()
        return inner
    }

    /// Behind a backslash; gives what is no character.
    private mutating func escape() throws(Failure) -> PatternProgram.Step? {
        guard let next = rest.first else { throw .isOther }
        rest.removeFirst()
        switch next {
        case "A": return .start
        case "z": return .end
        case "b": return .boundary(true)
        case "B": return .boundary(false)
        case "d", "D", "w", "W", "s", "S", "h", "H", "v", "V", "N", "R", "n", "t", "r", "f", "e", "a":
            guard next != "N" || rest.first != "{" else { throw .isOther }
            return nil
        case "p", "P", "x", "u":
            guard rest.first == "{", let end = rest.firstIndex(of: "}") else { throw .isOther }
            rest = rest[rest.index(after: end)...]
            return nil
        default:
            guard next.isASCII, !next.isLetter, !next.isNumber else { throw .isOther }
            return nil
        }
    }

    /// Behind a bracket, to behind the one that closes it.
    private mutating func skipClass() throws(Failure) {
        var depth = 1
        if rest.first == "^" { rest.removeFirst() }
        // What follows is read otherwise by some than by others.
        guard rest.first != "]" else { throw .isOther }
        while depth > 0 {
            guard let next = rest.popFirst() else { throw .isOther }
            switch next {
            case "\\":
                guard let escaped = rest.popFirst(), escaped != "Q" else { throw .isOther }
            case "[": depth += 1
            case "]": depth -= 1
            default: break
            }
        }
    }

    private mutating func character(_ text: String) throws(Failure) -> Node {
        if let number = known[text] { return .step(.character(number)) }
        guard let made = try? PatternCharacter(text, ignoresCase: ignoresCase) else { throw .isOther }
        known[text] = characters.count
        characters.append(made)
        return .step(.character(characters.count - 1))
    }

    private mutating func counted(_ node: Node) throws(Failure) -> Node {
        let counts: (least: Int, most: Int?)
        switch rest.first {
        case "*": counts = (0, nil)
        case "+": counts = (1, nil)
        case "?": counts = (0, 1)
        case "{": counts = try braces()
        default: return node
        }
        rest.removeFirst()
        // Reluctance chooses between matches of all of the text, of which one is enough; what gives nothing back excludes some.
        if rest.first == "?" { rest.removeFirst() }
        guard rest.first.map({ !"*+?{".contains($0) }) ?? true else { throw .isOther }
        return .repeated(node, least: counts.least, most: counts.most)
    }

    /// The counts of a brace; leaves the closing one.
    private mutating func braces() throws(Failure) -> (least: Int, most: Int?) {
        guard let end = rest.firstIndex(of: "}") else { throw .isOther }
        let parts = rest[..<end].dropFirst().split(separator: ",", omittingEmptySubsequences: false)
        rest = rest[end...]
        guard let first = parts.first, let least = first.isEmpty && parts.count == 2 ? 0 : Int(first), least >= 0 else {
            throw .isOther
        }
        switch parts.count {
        case 1: return (least, least)
        case 2 where parts[1].isEmpty: return (least, nil)
        case 2:
            guard let most = Int(parts[1]), most >= least else { throw .isOther }
            return (least, most)
        default: throw .isOther
        }
    }
}

// Writing the steps.
extension PatternCompiler {
    private mutating func emit(_ node: Node) throws(Failure) {
        switch node {
        case .step(let step): _ = try append(step)
        case .sequence(let parts): for part in parts { try emit(part) }
        case .alternatives(let branches):
            var ends: [Int] = []
            for branch in branches.dropLast() {
                let split = try append(.split(0, 0))
                try emit(branch)
                ends.append(try append(.jump(0)))
                steps[split] = .split(split + 1, steps.count)
            }
            if let last = branches.last { try emit(last) }
            for end in ends { steps[end] = .jump(steps.count) }
        case .repeated(let inner, let least, let most):
            guard max(least, most ?? 0) <= PatternProgram.maximumSteps else { throw .tooLarge }
            for _ in 0..<least { try emit(inner) }
            guard let most else {
                let split = try append(.split(0, 0))
                try emit(inner)
                _ = try append(.jump(split))
                steps[split] = .split(split + 1, steps.count)
                return
            }
            var splits: [Int] = []
            for _ in least..<most {
                splits.append(try append(.split(0, 0)))
                try emit(inner)
            }
            for split in splits { steps[split] = .split(split + 1, steps.count) }
        }
    }

    private mutating func append(_ step: PatternProgram.Step) throws(Failure) -> Int {
        guard steps.count < PatternProgram.maximumSteps else { throw .tooLarge }
        steps.append(step)
        return steps.count - 1
    }
}
