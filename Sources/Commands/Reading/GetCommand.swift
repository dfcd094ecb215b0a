import Interchange
import Strandline

/// Prints one object, whole.
struct GetCommand: Command {
    let name = "get"
    let summary = "print one object with all its properties"
    let usage = """
        usage: strandline get STORE URI [--at TOKEN] [--json]

        Prints an object with all its properties, and with the objects that its relationships lead to.

          --at TOKEN   as it was when the store's history was what the token covers
          --json       one object with the properties as keys, and the URI as _id
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let token = try TextArguments.token(try arguments.option("--at"), "--at")
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let object = try arguments.positional("URI", as: ObjectArgument.self)
        try arguments.finish()
        try await StoreAccess.reading(path, terminal) { store in
            let snapshot = try await store.snapshot(optionallyAt: token)
            let row = try object.row(in: snapshot, covered: (token ?? store.token).vector)
            let catalog = SchemaCatalog(snapshot.schema())
            let shown = try ShownObject(
                try catalog.entity(row.entity), properties: nil, toMany: true, in: catalog, of: snapshot)
            if json { return terminal.json(try shown.json(row)) }
            let names = ["_id"] + shown.names
            let width = names.map(\.count).max() ?? 0
            for (name, value) in zip(names, [.reference(uri: shown.uri(row))] + (try shown.values(row))) {
                terminal.data(name + String(repeating: " ", count: width - name.count + 2) + value.text)
            }
        }
    }
}
