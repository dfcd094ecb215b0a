import Interchange
import Strandline

/// Inserts an object.
struct InsertCommand: Command {
    let name = "insert"
    let summary = "insert an object"
    let usage = """
        usage: strandline insert STORE ENTITY [--set PROPERTY=VALUE …] [--null PROPERTY …] [--author NAME] [--json]

        Inserts an object of an entity that the store knows, and prints its URI.

          --set PROPERTY=VALUE   a value, written by the property's type: text as it is, numbers, true or false, dates as
                                 2026-11-30T08:30:00.125Z, UUIDs, data as base64 or @FILE, a blob as @FILE, another object
                                 by its URI; null for none, but in a text; in a many-to-many relationship +URI, once for each
          --null PROPERTY        no value
          --author NAME          who changes, for the history; 'cli' unless told otherwise
          --json                 a summary: {"inserted":1,"_id":"URI"}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let (values, nulls) = try AssignmentList.take(&arguments)
        let author = try arguments.option("--author") ?? "cli"
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let entity = try arguments.positional("ENTITY")
        try arguments.finish()
        let id = try await StoreAccess.writing(path, terminal) { store in
            let catalog = SchemaCatalog(try store.schema())
            let list = try AssignmentList(values, nulls: nulls, of: try catalog.entity(entity), in: catalog)
            return try await StoreAccess.repeating {
                try await store.write(author: author) { tx in
                    let id = try tx.insert(entity, try list.values(in: tx))
                    _ = try list.link(id, in: tx)
                    return id
                }.value
            }
        }
        let uri = id.uri(entity: entity)
        if json {
            terminal.json(.object([JSONMember("inserted", .integer(1)), JSONMember("_id", .string(uri))]))
        } else {
            terminal.data(uri)
        }
    }
}
