import Interchange
import Strandline

/// How objects are written to a file.
enum ExportFormat: String, CaseIterable, Sendable {
    /// A JSON object per line.
    case ndjson
    /// Comma-separated values under a line of names.
    case csv

    /// What an ending of a file's name stands for; NDJSON for all but `.csv`.
    init(ofFile name: String) { self = name.lowercased().hasSuffix(".csv") ? .csv : .ndjson }
}

extension ExportFormat: ArgumentValue {}

extension ShownValue {
    /// As a field of a line of comma-separated values.
    var field: CSVRecord.Field {
        switch self {
        case .value(.null): .empty
        case .value(.string(let text)): .text(text)
        case .value(.blob(let blob)): .plain(blob.id.description)
        case .value: .plain(text)
        case .reference(let uri): .plain(uri)
        case .references(let uris): .text(uris.joined(separator: " "))
        }
    }
}
