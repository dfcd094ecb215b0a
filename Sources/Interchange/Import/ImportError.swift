/// Why an import stopped, at which row, and what of the file is in the store.
///
/// Match on ``code``; show ``description``, which reads `quakes.json:12:1 (row 12): the row has no id, which is its key; rows 1 to
/// 10 are in the store, nothing after them is`.
public struct ImportError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// The file is no JSON, holds no records, or cannot be read; see ``ImportError/json``.
        case malformed
        /// A row without a value for the key.
        case missingKey
        /// Two rows of the file have one key.
        case duplicateKey
        /// A value that the property's type cannot hold.
        case typeMismatch
        /// What was asked for does not fit the schema of the store.
        case schema
        /// The store refused the row; see ``ImportError/store``.
        case refused
    }

    public var code: Code
    /// One sentence, without its place.
    public var message: String
    /// The file's path, or another name of where the rows come from.
    public var source: String
    /// Where the row starts, or where the text stops to make sense.
    public var position: JSONError.Position?
    /// The row concerned, from 1.
    public var row: Int?
    /// The property concerned.
    public var field: String?
    /// How many rows are in the store: the first ones of the file, in whole batches.
    public internal(set) var imported: Int?
    public internal(set) var json: JSONError?
    public internal(set) var store: (any Error)?

    init(
        _ code: Code, _ message: String, source: String, position: JSONError.Position? = nil, row: Int? = nil,
        field: String? = nil
    ) {
        self.code = code
        self.message = message
        self.source = source
        self.position = position
        self.row = row
        self.field = field
    }

    init(_ error: JSONError) {
        self.init(
            .malformed, error.message, source: error.source, position: error.position, row: error.record)
        json = error
    }

    public var description: String {
        var place = source
        if let position { place += ":\(position.line):\(position.column)" }
        if let row { place += " (row \(row))" }
        return "\(place): \(message)\(remainder)"
    }

    private var remainder: String {
        switch imported {
        case nil: ""
        case 0: "; nothing was imported"
        case 1: "; row 1 is in the store, nothing after it is"
        case let count?: "; rows 1 to \(count) are in the store, nothing after them is"
        }
    }
}
