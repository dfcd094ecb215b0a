/// The way from an object to one of its properties, through relationships where the name before is one: `views`, `author.name`,
/// `attachments.@count`.
///
/// Without names it is the object itself, `SELF`.
public struct PropertyPath: Hashable, Sendable, CustomStringConvertible {
    /// Wire names, outermost first.
    public let names: [String]
    /// Whether the path ends in `@count`: the number of objects that the to-many relationship holds.
    public let countsObjects: Bool

    public init(_ names: [String], countsObjects: Bool = false) {
        self.names = names
        self.countsObjects = countsObjects
    }

    /// A path of one name.
    ///
    /// The name is taken as it is; dots in it part nothing.
    public init(_ name: String) { self.init([name]) }

    /// The object itself.
    public static let object = PropertyPath([])

    /// As a predicate writes it: reserved words with `#` before, and names that are no identifiers between backquotes.
    public var description: String {
        if names.isEmpty { return countsObjects ? "SELF.@count" : "SELF" }
        return names.map(Self.written).joined(separator: ".") + (countsObjects ? ".@count" : "")
    }

    private static func written(_ name: String) -> String {
        let isIdentifier =
            name.unicodeScalars.first.map(PredicateLexer.startsIdentifier) == true
            && name.unicodeScalars.allSatisfy(PredicateLexer.continuesIdentifier)
        guard isIdentifier else { return PredicateLexer.quoted(name, by: "`") }
        return Keyword(name) == nil ? name : "#" + name
    }
}
