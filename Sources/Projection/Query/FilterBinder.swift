import EventLog

extension Filter {
    /// Checks the filter against an entity.
    ///
    /// A string literal becomes a date, UUID or object id where it is compared with one: dates in ISO 8601 (UTC unless a zone is
    /// given), ids as URIs. 0 and 1 become booleans. Where a name has columns of several types, the first that fits is meant.
    ///
    /// - Throws: ``PredicateError``, without a position; ``bound(text:to:)`` gives one.
    package func bound(to shape: EntityShape) throws(PredicateError) -> BoundFilter {
        try FilterBinder(shape: shape).bind(self)
    }

    /// Reads a predicate and checks it against an entity, so that every error shows its place in the text.
    package static func bound(text: String, to shape: EntityShape) throws(PredicateError) -> BoundFilter {
        let parsed = try PredicateParser.parse(text)
        do { return try parsed.filter.bound(to: shape) } catch { throw error.located(in: parsed) }
    }
}

extension PredicateError {
    /// The same with its place in the predicate that was read from `text`, if it is of a path that stands there.
    package func located(in text: String) -> PredicateError {
        guard position == nil, let parsed = try? PredicateParser.parse(text) else { return self }
        return located(in: parsed)
    }

    fileprivate func located(in parsed: PredicateParser.Result) -> PredicateError {
        var located = self
        if let position = path.flatMap({ parsed.positions[$0] }) { located.locate(scalar: position, in: parsed.text) }
        return located
    }
}

/// Resolves the names of a filter and converts its literals.
struct FilterBinder {
    let shape: EntityShape

    /// An operand and the type of its values; nil for null, which is of every type.
    private struct Typed {
        var operand: BoundOperand
        var type: ValueType?
    }

    func bind(_ filter: Filter) throws(PredicateError) -> BoundFilter {
        switch filter {
        case .always(let holds): return .always(holds)
        case .not(let filter): return .not(try bind(filter))
        case .and(let filters): return .and(try filters.map { (part) throws(PredicateError) in try bind(part) })
        case .or(let filters): return .or(try filters.map { (part) throws(PredicateError) in try bind(part) })
        case .comparison(let comparison): return .comparison(try bind(comparison))
        }
    }

    private func bind(_ comparison: Comparison) throws(PredicateError) -> BoundComparison {
        let lefts = try candidates(of: comparison.left)
        let rights = try comparison.right.map { (operand) throws(PredicateError) in try candidates(of: operand) }
        try checkQuantifier(of: comparison, lefts: lefts, rights: rights)
        var firstError: PredicateError?
        for left in lefts {
            do {
                return try fit(comparison, left, rights)
            } catch {
                firstError = firstError ?? error
            }
        }
        throw firstError ?? PredicateError(.typeMismatch, "cannot compare: \(comparison)", path: comparison.path)
    }

    /// The comparison with one meaning of its left-hand side, and for each right-hand side the first meaning that fits.
    private func fit(_ comparison: Comparison, _ left: Typed, _ rights: [[Typed]]) throws(PredicateError) -> BoundComparison {
        var left = left
        var fitting: [BoundOperand] = []
        for candidates in rights {
            var firstError: PredicateError?
            var fit: Typed?
            for right in candidates where fit == nil {
                do {
                    let (newLeft, newRight) = try unify(left, right, in: comparison)
                    fit = newRight
                    left = newLeft
                } catch {
                    firstError = firstError ?? error
                }
            }
            guard let fit else { throw firstError ?? mismatch(comparison, left.type, nil) }
            fitting.append(fit.operand)
        }
        try check(comparison, left.type)
        if case .constant = left.operand, comparison.quantifier == nil, fitting.count == 1, case .path = fitting[0],
            let mirrored = comparison.operator.mirrored
        {
            return BoundComparison(
                quantifier: nil, left: fitting[0], operator: mirrored, options: comparison.options, right: [left.operand])
        }
        return BoundComparison(
            quantifier: comparison.quantifier, left: left.operand, operator: comparison.operator, options: comparison.options,
            right: fitting)
    }

    private func candidates(of operand: Operand) throws(PredicateError) -> [Typed] {
        switch operand {
        case .constant(let value): return [Typed(operand: .constant(value), type: value.type)]
        case .path(let path):
            return try BoundPath.candidates(of: path, in: shape).map { Typed(operand: .path($0), type: $0.type) }
        case .arithmetic(let left, let operation, let right):
            let (left, right) = (try number(left), try number(right))
            if case .constant(let a) = left, case .constant(let b) = right {
                let result = operation.apply(a, b)
                return [Typed(operand: .constant(result), type: result.type)]
            }
            return [Typed(operand: .arithmetic(left, operation, right), type: .double)]
        }
    }

    private func number(_ operand: Operand) throws(PredicateError) -> BoundOperand {
        let candidates = try candidates(of: operand)
        guard let number = candidates.first(where: { $0.type == nil || $0.type?.isNumeric == true }) else {
            let type = candidates.first?.type.map { "\($0)" } ?? "null"
            throw PredicateError(
                .typeMismatch, "cannot calculate with \(operand), which is of type \(type)", path: operand.path)
        }
        if case .path(let path) = number.operand, path.isToMany {
            throw PredicateError(.quantifier, "cannot calculate with \(operand): it has many values", path: operand.path)
        }
        return number.operand
    }

    private func checkQuantifier(of comparison: Comparison, lefts: [Typed], rights: [[Typed]]) throws(PredicateError) {
        func isToMany(_ typed: Typed) -> Bool {
            if case .path(let path) = typed.operand { path.isToMany } else { false }
        }
        if let index = rights.firstIndex(where: { $0.contains(where: isToMany) }) {
            let right = comparison.right[index]
            throw PredicateError(
                .quantifier, "\(right) has many values; write it on the left, after ANY, ALL or NONE", path: right.path)
        }
        let leftIsToMany = lefts.contains(where: isToMany)
        if leftIsToMany, comparison.quantifier == nil {
            throw PredicateError(
                .quantifier, "\(comparison.left) has many values; write ANY, ALL or NONE before it, or @count after it",
                path: comparison.path)
        }
        if !leftIsToMany, let quantifier = comparison.quantifier {
            throw PredicateError(
                .quantifier,
                "\(quantifier.rawValue) needs a path through a to-many relationship, which \(comparison.left) is not",
                path: comparison.path)
        }
    }

    /// Both sides in types that can be compared; only literals are converted.
    private func unify(_ left: Typed, _ right: Typed, in comparison: Comparison) throws(PredicateError) -> (Typed, Typed) {
        guard let leftType = left.type, let rightType = right.type else { return (left, right) }
        if leftType == rightType || leftType.isNumeric && rightType.isNumeric { return (left, right) }
        if case .constant(let value) = right.operand, let converted = try convert(value, to: leftType, comparison) {
            return (left, Typed(operand: .constant(converted), type: leftType))
        }
        if case .constant(let value) = left.operand, let converted = try convert(value, to: rightType, comparison) {
            return (Typed(operand: .constant(converted), type: rightType), right)
        }
        throw mismatch(comparison, leftType, rightType)
    }

    /// The literal in another type; nil when it has no meaning there.
    private func convert(_ value: Value, to type: ValueType, _ comparison: Comparison) throws(PredicateError) -> Value? {
        func unreadable(_ form: String) -> PredicateError {
            PredicateError(.invalidLiteral, "cannot read \(Operand.constant(value)) as \(type); \(form)", path: comparison.path)
        }
        switch (value, type) {
        case (.int(0), .bool), (.int(1), .bool): return .bool(value == .int(1))
        case (.string(let text), .date):
            guard let seconds = DateLiteral.seconds(text) else {
                throw unreadable("dates are written as 2020-10-13 or 2020-10-13T08:30:00Z")
            }
            return .date(seconds)
        case (.string(let text), .uuid):
            guard let bits = IdentifierLiteral.uuid(text) else {
                throw unreadable("write E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
            }
            return .uuid(bits)
        case (.string(let text), .reference):
            guard let object = IdentifierLiteral.object(text) else {
                throw unreadable("objects are written strandline://<replica>/<Entity>/<sequence>.<index>")
            }
            return .reference(object.id)
        default: return nil
        }
    }

    private func mismatch(_ comparison: Comparison, _ left: ValueType?, _ right: ValueType?) -> PredicateError {
        var message = "cannot compare \(comparison.left), which is of type \(left.map { "\($0)" } ?? "null")"
        message += ", with \(right.map { "a value of type \($0)" } ?? "that")"
        if left == .date, right?.isNumeric == true { message += "; write the date as \"2020-10-13T08:30:00Z\"" }
        return PredicateError(.typeMismatch, message, path: comparison.path)
    }

    /// Whether the operator and its options suit the type.
    private func check(_ comparison: Comparison, _ type: ValueType?) throws(PredicateError) {
        let comparator = comparison.operator
        func refuse(_ reason: String) -> PredicateError { PredicateError(.typeMismatch, reason, path: comparison.path) }
        if comparator == .matches, comparison.right.first?.isText != true {
            throw refuse("MATCHES needs a pattern in quotes, not \(comparison.right.first?.description ?? "nothing")")
        }
        guard let type else { return }
        let subject = "\(comparison.left) is of type \(type)"
        if comparator.isTextual, type != .string { throw refuse("\(comparator.rawValue) needs strings; \(subject)") }
        if !comparison.options.isEmpty, type != .string { throw refuse("\(comparison.options) is for strings; \(subject)") }
        let isOrdered = type.isNumeric || type == .string || type == .date
        if comparator.isOrdering, !isOrdered {
            throw refuse("\(comparator.rawValue) needs numbers, strings or dates; \(subject)")
        }
        if type == .blob, !comparison.right.allSatisfy({ $0 == .constant(.null) }) {
            throw refuse("a blob can only be compared with nil; \(subject)")
        }
    }
}

extension Comparison {
    /// A path that an error in the comparison can be shown at.
    fileprivate var path: PropertyPath? { left.path ?? right.lazy.compactMap(\.path).first }
}

extension Operand {
    fileprivate var isText: Bool {
        if case .constant(.string) = self { true } else { false }
    }

    /// The first path in it.
    fileprivate var path: PropertyPath? {
        switch self {
        case .path(let path): path
        case .constant: nil
        case .arithmetic(let left, _, let right): left.path ?? right.path
        }
    }
}

extension ValueType {
    /// Whether its values compare with integers and doubles.
    var isNumeric: Bool { self == .int || self == .double || self == .counter }
}
