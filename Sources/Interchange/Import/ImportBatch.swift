import Strandline

/// Rows that go into the store in one transaction.
struct ImportBatch: Sendable {
    struct Row: Sendable {
        var number: Int
        var position: JSONError.Position
        var values: [PropertyValue]
    }

    /// To be recorded before the rows.
    var declaration: EntityDeclaration?
    var rows: [Row] = []
    /// How many bytes of the file have been read.
    var end: UInt64 = 0

    /// Writes the rows.
    ///
    /// - Throws: ``ImportError`` with the row that the store refused.
    func apply(to transaction: WriteTransaction, entity: String, source: String) throws -> ImportSummary {
        var summary = ImportSummary()
        if let declaration { try transaction.declare(declaration) }
        for row in rows {
            do {
                switch try transaction.merge(entity, row.values) {
                case .inserted: summary.inserted += 1
                case .updated: summary.updated += 1
                case .unchanged: summary.unchanged += 1
                }
            } catch {
                var refused = ImportError(.refused, "\(error)", source: source, position: row.position, row: row.number)
                refused.store = error
                throw refused
            }
        }
        summary.transactions = declaration == nil && summary.inserted + summary.updated == 0 ? 0 : 1
        return summary
    }
}
