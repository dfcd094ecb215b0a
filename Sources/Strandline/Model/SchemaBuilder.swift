/// Reads the lines of a ``Schema``.
@resultBuilder
public enum SchemaBuilder<Root: Entity> {
    /// A line of a schema.
    public struct Line: Sendable {
        let field: Field<Root>?
        let uniqueKey: Unique<Root>?
    }

    public static func buildExpression(_ field: Field<Root>) -> Line { Line(field: field, uniqueKey: nil) }
    public static func buildExpression(_ key: Unique<Root>) -> Line { Line(field: nil, uniqueKey: key) }
    public static func buildBlock(_ lines: Line...) -> [Line] { lines }
}
