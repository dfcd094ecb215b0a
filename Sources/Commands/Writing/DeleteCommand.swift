import Strandline

/// Deletes many objects in one transaction.
struct DeleteCommand: Command {
    let name = "delete"
    let summary = "delete the objects that a predicate selects"
    let usage = """
        usage: strandline delete STORE ENTITY (--where PREDICATE | --all) [OPTIONS]

        Deletes objects in one transaction, by the delete rules of their relationships: what an object owns goes with it.

          --where PREDICATE   the objects, as NSPredicate writes it: "views > 500 AND title CONTAINS[cd] 'tide'"
          --all               all objects of the entity
          --sort KEYS         the order in which --limit counts: views,-title
          --limit N           at most so many objects
          --author NAME       who changes, for the history; 'cli' unless told otherwise
          --json              a summary: {"deleted":3}, without what went with them
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let selection = try BatchSelection.take(&arguments)
        let author = try arguments.option("--author") ?? "cli"
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let entity = try arguments.positional("ENTITY")
        try arguments.finish()
        let deleted = try await StoreAccess.writing(path, terminal, predicates: selection.predicates) { store in
            try await StoreAccess.repeating {
                try await store.write(author: author) { tx in
                    let ids = try selection.ids(of: entity, in: tx)
                    try tx.delete(ids)
                    return ids.count
                }.value
            }
        }
        WorkSummary(["deleted": deleted]).print(on: terminal, asJSON: json)
    }
}
