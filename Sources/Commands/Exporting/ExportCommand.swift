import Interchange
import Storage
import Strandline

/// Writes objects into a file, for other programs.
struct ExportCommand: Command {
    let name = "export"
    let summary = "write objects into an NDJSON or CSV file"
    let usage = """
        usage: strandline export STORE ENTITY FILE [OPTIONS]

        Writes the objects of an entity into a file, which appears when it is whole, in the order of their ids; '-' for standard
        output. NDJSON has an object per line, as 'fetch --json' prints them, and can be imported again; CSV a line of names and
        then a line per object (RFC 4180), with texts in quotation marks, nothing for null, and data as base64.

        Dates have all their digits, NaN and infinities are the texts "nan", "inf" and "-inf". Of blobs only their ids are written; 'export-blob' writes the content of one.

          --where PREDICATE    which ones, as NSPredicate writes it: "magnitude > 2.5 AND place CONTAINS[cd] 'alaska'"
          --sort KEYS          another order: time,-magnitude,place[cd]
          --properties NAMES   these alone, in this order, without the URI unless _id is among them; relationships to many must be
                               named to be written
          --at TOKEN           as the store was when its history was what the token covers
          --format FORMAT      ndjson or csv; csv for a file whose name ends so, ndjson for all else unless told otherwise
          --json               a summary: {"exported":2411}; none on standard output
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let text = try arguments.option("--where")
        let filter = try TextArguments.filter(text) ?? .always(true)
        let sort = try TextArguments.sort(try arguments.option("--sort")) ?? []
        let properties = TextArguments.names(try arguments.option("--properties"))
        let token = try TextArguments.token(try arguments.option("--at"), "--at")
        let format = try arguments.option("--format", as: ExportFormat.self)
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let entity = try arguments.positional("ENTITY")
        let file = try arguments.positional("FILE")
        try arguments.finish()
        let count = try await StoreAccess.reading(path, terminal, predicates: text.map { [$0] } ?? []) { store in
            let snapshot = try await store.snapshot(optionallyAt: token)
            let catalog = SchemaCatalog(snapshot.schema())
            let columns = try ExportColumns(try catalog.entity(entity), properties: properties, in: catalog, of: snapshot)
            let rows = try snapshot.stream(
                of: columns.entity, where: filter, sortedBy: sort, properties: properties)
            let progress = terminal.progress("export \(entity)", total: UInt64(rows.count), unit: .items("objects"))
            defer { progress.finish() }
            let lines = ExportLines(columns, format ?? ExportFormat(ofFile: file))
            if file == "-" {
                try lines.forEachPiece(of: rows, progress) { terminal.bytes($0) }
            } else {
                try Self.write(lines, rows, to: file, progress)
            }
            return rows.count
        }
        if file != "-" { WorkSummary(["exported": count]).print(on: terminal, asJSON: json) }
    }

    private static func write(_ lines: ExportLines, _ rows: RowStream, to path: String, _ progress: ProgressBar) throws {
        var output = try OutputFile(path)
        do {
            try lines.forEachPiece(of: rows, progress) { try output.append($0) }
            try output.finish()
        } catch {
            output.discard()
            throw error
        }
    }
}
