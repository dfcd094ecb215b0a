public import Projection

/// A type of text, optional or not: what a predicate can search in.
public protocol TextStorable: Storable {}
extension String: TextStorable {}
extension Optional: TextStorable where Wrapped == String {}

extension PropertyExpression where V: TextStorable {
    /// Whether the text has the given one somewhere in it.
    ///
    /// Without options case and accents count.
    public func contains(_ text: String, _ options: TextOptions = []) -> Filter { search(.contains, text, options) }

    /// Whether the text starts with the given one.
    public func hasPrefix(_ text: String, _ options: TextOptions = []) -> Filter { search(.beginsWith, text, options) }

    /// Whether the text ends with the given one.
    public func hasSuffix(_ text: String, _ options: TextOptions = []) -> Filter { search(.endsWith, text, options) }

    /// Whether the whole text fits a pattern in which `?` stands for one character and `*` for any number.
    public func isLike(_ pattern: String, _ options: TextOptions = []) -> Filter { search(.like, pattern, options) }

    /// Whether the text equals the given one under the options, such as `.caseInsensitive`.
    public func equals(_ text: String, _ options: TextOptions) -> Filter { search(.equal, text, options) }

    private func search(_ operator: Comparison.Operator, _ text: String, _ options: TextOptions) -> Filter {
        compare(`operator`, [.constant(.string(text))], options)
    }
}
