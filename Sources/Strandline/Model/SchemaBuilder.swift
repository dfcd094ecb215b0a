/// A line of a ``Schema``: a ``Field`` or a ``Unique`` key.
public protocol SchemaLine<Root>: Sendable {
    associatedtype Root: Entity
}

/// Reads the lines of a ``Schema``.
@resultBuilder
public enum SchemaBuilder<Root: Entity> {
    // One generic function, not one for each kind of line: so a misspelt property is reported as just that.
    public static func buildExpression<Line: SchemaLine>(_ line: Line) -> any SchemaLine<Root> where Line.Root == Root { line }
    public static func buildBlock(_ lines: any SchemaLine<Root>...) -> [any SchemaLine<Root>] { lines }
}
