/// Why a JSON text could not be read or written, and where.
///
/// Match on ``code``; show ``description``, which reads
/// `quakes.json:3:17 (byte 214, record 2): expected ',' or '}' after a member, found 'x'`.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: String, Sendable, Equatable {
        /// The text breaks the grammar of RFC 8259.
        case syntax
        /// The bytes are not UTF-8.
        case encoding
        /// An object has one key twice.
        case duplicateKey
        /// Nested too deep, a string too long, or a number outside the range of a Double.
        case limit
        /// Valid JSON, but not records: an array of numbers, a feature without an object, an empty file.
        case shape
        /// The system could not open or read the file.
        case unreadable
        /// The system could not write the output.
        case unwritable
    }

    /// A place in the text.
    public struct Position: Sendable, Equatable {
        /// From 1; lines end with a line feed.
        public var line: Int
        /// From 1, in Unicode scalars from the start of the line, as an editor counts: "é" and a tab are one each.
        public var column: Int
        /// From 0, in bytes from the start of the file, a byte order mark included.
        public var offset: Int

        public init(line: Int, column: Int, offset: Int) {
            self.line = line
            self.column = column
            self.offset = offset
        }
    }

    public var code: Code
    /// One sentence without its place: what was expected and what was found.
    public var message: String
    /// The file's path, or another name of where the bytes come from.
    public var source: String
    /// Nil where no text is concerned, such as a file that cannot be opened.
    public var position: Position?
    /// The record concerned, from 1, where records were being read.
    public var record: Int?

    public init(_ code: Code, _ message: String, source: String, position: Position? = nil, record: Int? = nil) {
        self.code = code
        self.message = message
        self.source = source
        self.position = position
        self.record = record
    }

    public var description: String {
        var place = source
        var asides: [String] = []
        if let position {
            place += ":\(position.line):\(position.column)"
            asides.append("byte \(position.offset)")
        }
        if let record { asides.append("record \(record)") }
        if !asides.isEmpty { place += " (\(asides.joined(separator: ", ")))" }
        return "\(place): \(message)"
    }
}
