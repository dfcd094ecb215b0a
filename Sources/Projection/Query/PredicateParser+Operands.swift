import EventLog

extension PredicateParser {
    /// The node as a value.
    func operand(_ node: Node) throws(PredicateError) -> Operand {
        guard case .operand(let operand) = node.content else {
            throw failure(.syntax, "expected a value, not a condition", at: node.position)
        }
        return operand
    }

    mutating func sum() throws(PredicateError) -> Node {
        try chain(["+": .add, "-": .subtract]) { (parser) throws(PredicateError) in try parser.product() }
    }

    private mutating func product() throws(PredicateError) -> Node {
        try chain(["*": .multiply, "/": .divide]) { (parser) throws(PredicateError) in try parser.signed() }
    }

    /// Operands joined by operators of one precedence, from the left.
    ///
    /// Each joint nests the tree one level deeper.
    private mutating func chain(
        _ operators: [String: Operand.Arithmetic], of part: (inout PredicateParser) throws(PredicateError) -> Node
    ) throws(PredicateError) -> Node {
        var node = try part(&self)
        var joints = 0
        defer { leave(joints) }
        while case .symbol(let symbol) = current.kind, let operation = operators[symbol] {
            joints += 1
            try enter()
            advance()
            let right = try operand(part(&self))
            node = Node(content: .operand(.arithmetic(try operand(node), operation, right)), position: node.position)
        }
        return node
    }

    private mutating func signed() throws(PredicateError) -> Node {
        let position = current.position
        guard accept("-") else { return try primary() }
        if case .number(let digits) = current.kind {
            let value = try number("-" + digits)
            advance()
            return Node(content: .operand(.constant(value)), position: position)
        }
        try enter()
        defer { leave() }
        let negated = try operand(signed())
        return Node(content: .operand(.arithmetic(.constant(.int(0)), .subtract, negated)), position: position)
    }

    private mutating func primary() throws(PredicateError) -> Node {
        let token = current
        switch token.kind {
        case .symbol("("):
            try enter()
            defer { leave() }
            advance()
            let inner = try disjunction()
            try expect(")", "to close the '(' at character \(token.position + 1)")
            return Node(content: inner.content, position: token.position)
        case .string(let string):
            advance()
            return Node(content: .operand(.constant(.string(string))), position: token.position)
        case .number(let digits):
            let value = try number(digits)
            advance()
            return Node(content: .operand(.constant(value)), position: token.position)
        case .name: return Node(content: .operand(.path(try path())), position: token.position)
        case .word: return Node(content: try word(), position: token.position)
        default:
            let place = previous.map { " after '\($0.text)'" } ?? ""
            throw failure(.syntax, "expected a property or a value\(place), not \(token.shown)")
        }
    }

    private func number(_ digits: String) throws(PredicateError) -> Value {
        if digits.allSatisfy({ $0.isNumber || $0 == "-" }) {
            guard let value = Int64(digits) else {
                throw failure(.invalidLiteral, "\(digits) does not fit in 64 bits; write \(digits).0 for a double")
            }
            return .int(value)
        }
        guard let value = Double(digits) else { throw failure(.invalidLiteral, "\(digits) is not a number") }
        return .double(value)
    }

    private mutating func word() throws(PredicateError) -> Node.Content {
        let token = current
        let constant: Value
        switch token.keyword {
        case nil:
            if following.kind == .symbol("(") {
                throw failure(.unsupported, "functions such as \(token.text)() are not supported")
            }
            return .operand(.path(try path()))
        case .self: return .operand(.path(try path()))
        case .truepredicate, .falsepredicate:
            advance()
            return .filter(.always(token.keyword == .truepredicate))
        case .cast: return .operand(.constant(try cast()))
        case .subquery:
            throw failure(.unsupported, "SUBQUERY is not supported; use ANY, ALL, NONE or @count")
        case .null, .nil: constant = .null
        case .yes, .true: constant = .bool(true)
        case .no, .false: constant = .bool(false)
        default:
            throw failure(
                .syntax, "'\(token.text)' is a reserved word; write #\(token.text) for a property of that name")
        }
        advance()
        return .operand(.constant(constant))
    }

    /// Names parted by dots.
    ///
    /// The current token is known to begin one.
    private mutating func path() throws(PredicateError) -> PropertyPath {
        let start = current.position
        var names: [String] = []
        if accept(.self) {
            guard current.kind == .symbol(".") else {
                note(.object, at: start)
                return .object
            }
        } else {
            names.append(try name())
        }
        while accept(".") {
            if case .collectionOperator(let name) = current.kind {
                guard name == "count" else { throw failure(.unsupported, "@\(name) is not supported; there is only @count") }
                advance()
                let path = PropertyPath(names, countsObjects: true)
                note(path, at: start)
                return path
            }
            names.append(try name())
        }
        let path = PropertyPath(names)
        note(path, at: start)
        return path
    }

    private mutating func name() throws(PredicateError) -> String {
        switch current.kind {
        case .name(let name):
            advance()
            return name
        case .word(let word):
            if current.keyword != nil {
                throw failure(.syntax, "'\(word)' is a reserved word; write #\(word) for a property of that name")
            }
            advance()
            return word
        default: throw failure(.syntax, "expected a property's name, not \(current.shown)")
        }
    }

    /// Reads `CAST("2020-10-13T00:00:00Z", "NSDate")`.
    private mutating func cast() throws(PredicateError) -> Value {
        advance()
        try expect("(", "after CAST (write #cast for a property of that name)")
        let literal = current
        let value = try operand(signed())
        try expect(",", "between the value and the type of CAST")
        guard case .string(let type) = current.kind else {
            throw failure(.syntax, "expected a type's name in quotes, such as \"NSDate\", not \(current.shown)")
        }
        let typePosition = current.position
        advance()
        try expect(")", "to close CAST(")
        switch (type, value) {
        case ("NSDate", .constant(.string(let text))), ("Date", .constant(.string(let text))):
            if let seconds = DateLiteral.seconds(text) { return .date(seconds) }
        case ("NSDate", .constant(.int(let seconds))), ("Date", .constant(.int(let seconds))): return .date(Double(seconds))
        case ("NSDate", .constant(.double(let seconds))), ("Date", .constant(.double(let seconds))): return .date(seconds)
        case ("NSUUID", .constant(.string(let text))), ("UUID", .constant(.string(let text))):
            if let bits = IdentifierLiteral.uuid(text) { return .uuid(bits) }
        case ("NSData", .constant(.string(let text))), ("Data", .constant(.string(let text))):
            if let bytes = IdentifierLiteral.bytes(text) { return .data(bytes) }
        case ("NSDate", _), ("Date", _), ("NSUUID", _), ("UUID", _), ("NSData", _), ("Data", _): break
        default:
            throw failure(
                .unsupported, "CAST to \"\(type)\" is not supported; there are NSDate, NSUUID and NSData", at: typePosition)
        }
        throw failure(
            .invalidLiteral,
            "cannot read \(literal.shown) as \(type); dates are written 2020-10-13T08:30:00Z or as seconds since "
                + "2001, UUIDs and data in hexadecimal digits", at: literal.position)
    }
}
