import Strandline

/// Sets properties of many objects in one transaction.
struct UpdateCommand: Command {
    let name = "update"
    let summary = "set properties of the objects that a predicate selects"
    let usage = """
        usage: strandline update STORE ENTITY (--where PREDICATE | --all) --set PROPERTY=VALUE … [OPTIONS]

        Sets properties in one transaction, and records those only that have another value now.

          --where PREDICATE      the objects, as NSPredicate writes it: "views > 500 AND title CONTAINS[cd] 'tide'"
          --all                  all objects of the entity
          --sort KEYS            the order in which --limit counts: views,-title
          --limit N              at most so many objects
          --set PROPERTY=VALUE   see 'strandline insert --help'; in a many-to-many relationship +URI puts an object in, and
                                 -URI takes one out, once for each
          --null PROPERTY        no value
          --author NAME          who changes, for the history; 'cli' unless told otherwise
          --json                 a summary: {"updated":3,"unchanged":1}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let selection = try BatchSelection.take(&arguments)
        let (values, nulls) = try AssignmentList.take(&arguments)
        let author = try arguments.option("--author") ?? "cli"
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let entity = try arguments.positional("ENTITY")
        try arguments.finish()
        if values.isEmpty && nulls.isEmpty { throw CommandError.usage("say what to set: --set PROPERTY=VALUE") }
        let (updated, unchanged) = try await StoreAccess.writing(path, terminal, predicates: selection.predicates) { store in
            let catalog = SchemaCatalog(try store.schema())
            let list = try AssignmentList(values, nulls: nulls, of: try catalog.entity(entity), in: catalog)
            return try await StoreAccess.repeating {
                try await store.write(author: author) { tx in
                    let ids = try selection.ids(of: entity, in: tx)
                    let values = ids.isEmpty ? [] : try list.values(in: tx)
                    var updated = 0
                    for id in ids {
                        let isSet = try tx.update(id, values)
                        let isLinked = try list.link(id, in: tx)
                        if isSet || isLinked { updated += 1 }
                    }
                    return (updated, ids.count - updated)
                }.value
            }
        }
        WorkSummary(["updated": updated, "unchanged": unchanged]).print(on: terminal, asJSON: json)
    }
}
