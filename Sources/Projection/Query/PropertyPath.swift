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

    /// A path as the command line takes it: `views`, `author.name`, `attachments.@count`.
    ///
    /// A name with other characters stands between backquotes; a text that is no path is taken for one name, as it is.
    public init(_ text: String) {
        do {
            var reader = try PathListReader(text)
            self = try reader.path()
            try reader.finish()
        } catch {
            self.init([text])
        }
    }

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
