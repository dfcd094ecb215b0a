// Invariants
// * `state` is guarded by its mutex; one batch is read at a time, in the order of the file.
// * A batch whose reading failed was not handed out, and nothing after it will be: the importer stops.

import Projection
import Storage
import Strandline
import Synchronization

/// Turns a file of records into batches of typed rows.
final class ImportFeed: Sendable {
    private struct State: ~Copyable {
        var reader: RecordReader
        var columns: ImportColumns
        var keys = KeyRegistry()
    }

    /// A batch ends early when its rows have taken so many bytes of text.
    private static let batchBytes = 16 << 20

    let source: String
    private let store: Store
    private let size: Int
    private let state: Mutex<State>

    /// - Parameter size: at most how many rows a batch has.
    init(_ source: sending any JSONByteSource, _ format: ImportFormat, columns: ImportColumns, size: Int, store: Store) {
        self.source = source.name
        self.size = size
        self.store = store
        state = Mutex(State(reader: RecordReader(source, format), columns: columns))
    }

    /// The next batch, on the thread of the caller; nil at the end of the file.
    ///
    /// - Throws: ``ImportError``.
    func next() throws -> ImportBatch? {
        try state.withLock { state in
            do {
                let records = try read(&state.reader)
                return records.isEmpty ? nil : try batch(of: records, &state)
            } catch let error as JSONError {
                throw ImportError(error)
            }
        }
    }

    private func read(_ reader: inout RecordReader) throws(JSONError) -> [JSONRecord] {
        var records: [JSONRecord] = []
        while records.count < size, let record = try reader.next() {
            records.append(record)
            if record.position.offset - records[0].position.offset >= Self.batchBytes { break }
        }
        return records
    }

    private func batch(of records: [JSONRecord], _ state: inout State) throws -> ImportBatch {
        var batch = ImportBatch()
        do {
            batch.rows = try rows(records, state.columns)
        } catch {
            // Some name or type is new: what the whole batch has decides the columns.
            try widen(&state.columns, for: records)
            batch.rows = try rows(records, state.columns)
        }
        for row in batch.rows { try check(row, state.columns.key, &state.keys) }
        batch.declaration = state.columns.takeDeclaration()
        batch.end = UInt64(records.last?.position.offset ?? 0)
        return batch
    }

    private func rows(_ records: [JSONRecord], _ columns: ImportColumns) throws(ImportError) -> [ImportBatch.Row] {
        var rows: [ImportBatch.Row] = []
        rows.reserveCapacity(records.count)
        for record in records {
            do throws(ImportColumns.Mismatch) {
                let values = try columns.values(of: record.members)
                rows.append(ImportBatch.Row(number: record.number, position: record.position, values: values))
            } catch {
                throw ImportError(
                    .typeMismatch, error.message, source: source, position: record.position, row: record.number,
                    field: error.field)
            }
        }
        return rows
    }

    /// Adds columns for names that have none, and, where the types were the importer's guess, for values that fit into none.
    private func widen(_ columns: inout ImportColumns, for records: [JSONRecord]) throws {
        var scan = ColumnScan(isText: columns.isText)
        for record in records { scan.add(record.members.filter { !columns.holds($0) }) }
        for name in scan.names {
            let known = columns.types(of: name)
            guard try known.isEmpty || columns.isGuess(name) || holdsNothing(name, known, of: columns.entity) else { continue }
            for type in scan.types(of: name) { columns.add(type, to: name) }
        }
    }

    /// Whether a column for text was a guess: a name that was only ever null.
    private func holdsNothing(_ name: String, _ known: [ValueType], of entity: String) throws -> Bool {
        guard known == [.string] else { return false }
        return try store.count(of: entity, where: .compare(.property(name), .notEqual, .constant(.null))) == 0
    }

    private func check(_ row: ImportBatch.Row, _ key: [String], _ keys: inout KeyRegistry) throws(ImportError) {
        var parts: [Value] = []
        for name in key {
            guard let part = row.values.last(where: { WireName($0.property.name) == WireName(name) && $0.value != .null })
            else {
                throw ImportError(
                    .missingKey, "the row has no \(name), which is \(key.count == 1 ? "its key" : "part of its key")",
                    source: source, position: row.position, row: row.number, field: name)
            }
            parts.append(part.value)
        }
        guard let first = keys.insert(parts, row: row.number) else { return }
        throw ImportError(
            .duplicateKey, "the row has the same \(key.joined(separator: ", ")) as row \(first); a key names one row",
            source: source, position: row.position, row: row.number, field: key.first)
    }
}
