/// How the rows of a file are written.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// JSON in any of its shapes: an array of objects, an object a line, GeoJSON features.
    case json
    /// Comma-separated values with a row of names; see RFC 4180.
    case csv

    /// By a file's name: CSV for `.csv` in any case, JSON for all else.
    public init(path: String) { self = path.lowercased().hasSuffix(".csv") ? .csv : .json }
}

/// Reads the rows of a file of either format.
struct RecordReader: ~Copyable {
    private var json: JSONRecordReader?
    private var csv: CSVRecordReader?

    init(_ source: any JSONByteSource, _ format: ImportFormat) {
        switch format {
        case .json:
            json = JSONRecordReader(source)
            csv = nil
        case .csv:
            json = nil
            csv = CSVRecordReader(source)
        }
    }

    /// The next row, nil at the end of the file.
    mutating func next() throws(JSONError) -> JSONRecord? {
        if let record = try json?.next() { return record }
        return try csv?.next()
    }
}
