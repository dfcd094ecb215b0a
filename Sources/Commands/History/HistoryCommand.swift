import Interchange
import Strandline

/// Prints transactions with their old and new values.
struct HistoryCommand: Command {
    let name = "history"
    let summary = "print transactions with old and new values"
    let usage = """
        usage: strandline history STORE [OPTIONS]

        Prints the store's transactions in the order in which they came into it.

          --after TOKEN    only what the token does not cover
          --object URI     only changes of this object
          --entity NAME    only changes of objects of this entity
          --author NAME    only transactions of this author
          --since DATE     only transactions stamped at DATE or later: 2026-11-30T08:30:00Z
          --until DATE     only transactions stamped before DATE
          --json           one array of transactions
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let after = try TextArguments.token(try arguments.option("--after"), "--after")
        let filter = HistoryFilter(
            entity: try arguments.option("--entity"), object: try arguments.option("--object", as: ObjectArgument.self)?.id,
            author: try arguments.option("--author"),
            since: try arguments.option("--since", as: DateArgument.self)?.milliseconds,
            until: try arguments.option("--until", as: DateArgument.self)?.milliseconds)
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        try await StoreAccess.reading(path, terminal) { store in
            let catalog = SchemaCatalog(try store.schema())
            if let entity = filter.entity { _ = try catalog.entity(entity) }
            var iterator = store.history(after: after, filter).makeAsyncIterator()
            guard json else {
                while let transaction = try await iterator.next() {
                    terminal.data(ShownTransaction(transaction, in: catalog).text)
                }
                return
            }
            // The first is read before anything is written, so that a refusal leaves no broken array.
            var next = try await iterator.next()
            var writer = JSONWriter(TerminalSink(terminal))
            writer.beginArray()
            while let transaction = next {
                try writer.append(ShownTransaction(transaction, in: catalog).json)
                next = try await iterator.next()
            }
            writer.endArray()
            try writer.finish()
        }
    }
}
