import Strandline

/// Writes the content of a blob into a file.
struct ExportBlobCommand: Command {
    let name = "export-blob"
    let summary = "write the content of a blob into a file"
    let usage = """
        usage: strandline export-blob STORE URI PROPERTY FILE

        Writes the content of a blob property into a file, which appears when it is whole; '-' for standard output.
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let path = try arguments.positional("STORE")
        let object = try arguments.positional("URI", as: ObjectArgument.self)
        let property = try arguments.positional("PROPERTY")
        let file = try arguments.positional("FILE")
        try arguments.finish()
        try await StoreAccess.reading(path, terminal) { store in
            let blob = try Self.blob(property, of: object, in: store)
            let progress = terminal.progress("export \(property)", total: blob.length, unit: .bytes)
            defer { progress.finish() }
            if file == "-" {
                try Self.forEachPiece(of: blob, in: store, progress) { terminal.bytes($0) }
            } else {
                try Self.write(blob, in: store, to: file, progress)
            }
        }
    }

    private static func blob(_ name: String, of object: ObjectArgument, in store: Store) throws -> BlobReference {
        let row = try object.row(in: try store.snapshot(), covered: store.token.vector)
        let catalog = SchemaCatalog(try store.schema())
        let fields = try catalog.fields(name, of: try catalog.entity(row.entity))
        guard let field = fields.first(where: { $0.property.type == .blob }) else {
            throw CommandError.failed("\(row.entity).\(name) holds \(fields[0].property.type), not a blob; 'get' prints it")
        }
        guard case .value(.blob(let blob)) = row[field.property] else {
            throw CommandError.failed("\(object.uri) has no \(name)")
        }
        return blob
    }

    /// A mebibyte at a time, whatever the length.
    private static func forEachPiece(
        of blob: BlobReference, in store: Store, _ progress: ProgressBar, _ body: ([UInt8]) throws -> Void
    ) throws {
        var offset: UInt64 = 0
        while offset < blob.length {
            let piece = try store.read(blob, at: offset)
            try body(piece)
            offset += UInt64(piece.count)
            progress.advance(by: UInt64(piece.count))
        }
    }

    private static func write(_ blob: BlobReference, in store: Store, to path: String, _ progress: ProgressBar) throws {
        var output = try OutputFile(path)
        do {
            try forEachPiece(of: blob, in: store, progress) { try output.append($0) }
            try output.finish()
        } catch {
            output.discard()
            throw error
        }
    }
}
