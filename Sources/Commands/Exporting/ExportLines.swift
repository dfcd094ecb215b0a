import Interchange
import Strandline

/// Objects as the lines of a file.
struct ExportLines {
    private static let pieceBytes = 64 << 10

    private let columns: ExportColumns
    private let format: ExportFormat

    init(_ columns: ExportColumns, _ format: ExportFormat) {
        self.columns = columns
        self.format = format
    }

    /// Hands over the file's bytes, some lines at a time; memory holds those alone.
    func forEachPiece(of rows: RowStream, _ progress: ProgressBar, _ body: ([UInt8]) throws -> Void) throws {
        var piece: [UInt8] = []
        if format == .csv { piece += CSVRecord(columns.names.map { .plain($0) }).line }
        try rows.forEachRow { row in
            piece += try line(of: row)
            progress.advance(by: 1)
            guard piece.count >= Self.pieceBytes else { return }
            try body(piece)
            piece.removeAll(keepingCapacity: true)
        }
        if !piece.isEmpty { try body(piece) }
    }

    private func line(of row: Row) throws -> [UInt8] {
        let values = try columns.values(of: row)
        switch format {
        case .csv: return CSVRecord(values.map(\.field)).line
        case .ndjson:
            let object = JSONValue.object(zip(columns.names, values).map { JSONMember($0, $1.json) })
            return Array(object.text.utf8) + [UInt8(ascii: "\n")]
        }
    }
}
