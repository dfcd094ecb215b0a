/// One side of a comparison of strings, prepared once so that per string only the other side is looked at.
package struct TextTest {
    private enum Form {
        case order(Comparison.Operator, String)
        case contains(SubstringSearch), beginsWith(SubstringSearch), endsWith(SubstringSearch)
        case like(WildcardPattern)
        case matches(RegularExpression)
    }

    private let form: Form
    private let folding: TextFolding
    /// Any but `between` and `in`.
    package let comparator: Comparison.Operator
    /// The right-hand side, folded; an index or the bounds of a block can be asked for it.
    package let operand: String

    /// Prepares the right-hand side of any comparison but `between` and `in`.
    ///
    /// - Throws: ``PredicateError`` for an invalid regular expression.
    init(_ comparator: Comparison.Operator, _ operand: String, options: TextOptions) throws(PredicateError) {
        self.comparator = comparator
        // Case is left to the expression: folding its text would turn `\S` into `\s`.
        folding = TextFolding(options: comparator == .matches ? options.subtracting(.caseInsensitive) : options)
        let folded = folding.fold(operand)
        self.operand = folded
        form =
            switch comparator {
            case .contains: .contains(SubstringSearch(folded))
            case .beginsWith: .beginsWith(SubstringSearch(folded))
            case .endsWith: .endsWith(SubstringSearch(folded))
            case .like: .like(WildcardPattern(operand, folding: folding))
            case .matches: .matches(try RegularExpression(folded, ignoresCase: options.contains(.caseInsensitive)))
            default: .order(comparator, folded)
            }
    }

    /// Whether strings are compared as they are.
    package var isExact: Bool { folding.options.isEmpty }

    package func matches(_ text: String) -> Bool {
        if case .contains(let search) = form, folding.options.contains(.caseInsensitive),
            let isContained = search.isContainedIgnoringCase(in: text)
        {
            return isContained
        }
        let text = folding.fold(text)
        switch form {
        case .order(let comparator, let operand): return Self.compare(text, comparator, operand)
        case .contains(let search): return search.isContained(in: text)
        case .beginsWith(let search): return search.isPrefix(of: text)
        case .endsWith(let search): return search.isSuffix(of: text)
        case .like(let pattern): return pattern.matches(text)
        case .matches(let expression): return expression.matches(text)
        }
    }

    /// The same test of the bytes of a text, as far as bytes can tell; nil when they cannot.
    var ofBytes: ByteTest? {
        // Only `c` changes ASCII.
        let foldsCase = folding.options.contains(.caseInsensitive)
        switch form {
        case .order(let comparator, let operand):
            return ByteTest(.order(comparator), operand, foldsCase: foldsCase, isExact: isExact)
        case .contains(let search): return ByteTest(.contains, search.needle, foldsCase: foldsCase, isExact: isExact)
        case .beginsWith(let search): return ByteTest(.beginsWith, search.needle, foldsCase: foldsCase, isExact: isExact)
        case .endsWith(let search): return ByteTest(.endsWith, search.needle, foldsCase: foldsCase, isExact: isExact)
        case .like(let pattern): return ByteTest(like: pattern.ofBytes, foldsCase: foldsCase)
        case .matches: return nil
        }
    }

    private static func compare(_ a: String, _ comparator: Comparison.Operator, _ b: String) -> Bool {
        switch comparator {
        case .equal: a == b
        case .notEqual: a != b
        default: comparator.holds(for: TextOrder.compare(a, b))
        }
    }
}
