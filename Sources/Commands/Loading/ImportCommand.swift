import Interchange
import Strandline

extension ImportFormat: ArgumentValue {}

/// Brings a file of records into a store.
struct ImportCommand: Command {
    let name = "import"
    let summary = "insert or update objects from a JSON, NDJSON, GeoJSON or CSV file"
    let usage = """
        usage: strandline import STORE FILE --entity NAME --key FIELD [--types FIELD:TYPE,…] [--format json|csv] \
        [--batch N] [--author NAME] [--json]

        Reads a JSON array of objects, an object per line (NDJSON), the features of a GeoJSON file, or comma-separated values whose
        first row names the columns, and inserts each as an object of an entity, or writes it over the object that has the same key. What is there already is left alone, so
        importing a file again changes nothing. FILE is - for standard input.

        Of an entity that the store does not know, names and types come from the file: whole numbers, numbers, true or false,
        and text; arrays and objects become text. In CSV a column is of numbers when all its fields are, and nothing at all, not even
        quotation marks, is null. Of one that it knows, values must fit its types; a date is milliseconds since
        1970 or ISO 8601 text.

        When a row cannot be imported, the rows of its batch are not in the store, and those of the batches before it are.

          --entity NAME        the entity
          --key FIELD[,FIELD]  what identifies a row; becomes the entity's unique key
          --types FIELD:TYPE   types that the file does not tell: bool, int, double, string, date, uuid, data, reference, counter
          --format NAME        json or csv; by the name of FILE unless told otherwise
          --batch N            rows per transaction; 1000 unless told otherwise
          --author NAME        who changes, for the history; 'import' unless told otherwise
          --json               a summary: {"inserted":2411,"updated":0,"unchanged":0,"transactions":3}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let entity = try arguments.option("--entity")
        let key = try arguments.option("--key")?.split(separator: ",").map(String.init)
        let types = try arguments.option("--types", as: ColumnTypeArgument.self)?.types ?? [:]
        let format = try arguments.option("--format", as: ImportFormat.self)
        let batch = try arguments.option("--batch", as: Int.self) ?? 1_000
        let author = try arguments.option("--author") ?? "import"
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let file = try arguments.positional("FILE")
        try arguments.finish()
        guard let entity else { throw CommandError.usage("--entity is missing") }
        guard let key, !key.isEmpty else { throw CommandError.usage("--key is missing") }
        guard batch > 0 else { throw CommandError.usage("--batch needs at least 1") }
        var importer = Importer(entity: entity, key: key, types: types)
        importer.batch = batch
        importer.format = format
        importer.author = author

        let bar = terminal.progress("import \(file)", total: nil, unit: .items("rows"))
        defer { bar.finish() }
        let result = try await StoreAccess.writing(path, terminal) { [importer] store in
            try await Self.run(importer, file, into: store) { progress in
                bar.update(done: UInt64(progress.summary.rows), total: Self.estimate(progress))
            }
        }
        show(result, terminal, asJSON: json)
    }

    private static func run(
        _ importer: Importer, _ file: String, into store: Store, progress: @escaping @Sendable (ImportProgress) -> Void
    ) async throws -> ImportSummary {
        guard file == "-" else { return try await importer.run(file, into: store, progress: progress) }
        return try await importer.run(FileByteSource(descriptor: 0), into: store, progress: progress)
    }

    /// How many rows the file has, if the rest is like what was read.
    private static func estimate(_ progress: ImportProgress) -> UInt64? {
        guard let total = progress.totalBytes, progress.bytes > 0 else { return nil }
        return UInt64(Double(progress.summary.rows) * Double(total) / Double(progress.bytes))
    }

    private func show(_ result: ImportSummary, _ terminal: Terminal, asJSON: Bool) {
        guard asJSON else {
            let counts = [("inserted", result.inserted), ("updated", result.updated), ("unchanged", result.unchanged)]
            return terminal.data(
                counts.map { "\(ProgressLine.grouped(UInt64($0.1))) \($0.0)" }.joined(separator: ", "))
        }
        terminal.data(
            #"{"inserted":\#(result.inserted),"updated":\#(result.updated),"unchanged":\#(result.unchanged),"#
                + #""transactions":\#(result.transactions)}"#)
    }
}
