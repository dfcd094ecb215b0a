import Interchange
import Strandline

/// Prints changes as they commit, from any process.
struct WatchCommand: Command {
    let name = "watch"
    let summary = "print changes as they commit, from any process"
    let usage = """
        usage: strandline watch STORE [OPTIONS]

        Prints the transactions that any process commits to the store, or receives into it, as they become durable, until it is
        interrupted. Says so on standard error when it has begun.

          --after TOKEN       begins with what the token does not cover, instead of now
          --object URI        only changes of this object
          --entity NAME       only changes of objects of this entity
          --author NAME       only transactions of this author
          --count N           ends after N transactions
          --timeout SECONDS   ends after so long
          --json              one object per line
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let after = try TextArguments.token(try arguments.option("--after"), "--after")
        let filter = HistoryFilter(
            entity: try arguments.option("--entity"), object: try arguments.option("--object", as: ObjectArgument.self)?.id,
            author: try arguments.option("--author"))
        let limit = try arguments.option("--count", as: UInt64.self) ?? .max
        let timeout = try arguments.option("--timeout", as: Double.self)
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        try await StoreAccess.reading(path, terminal) { store in
            let live = store.transactions(after: after, filter)
            terminal.say("watching \(path)")
            try await Interruption.cancelling(after: timeout) {
                var catalog = SchemaCatalog(try store.schema())
                var iterator = live.makeAsyncIterator()
                var count: UInt64 = 0
                while count < limit, let transaction = try await iterator.next() {
                    if transaction.changes.contains(where: \.isSchema) { catalog = SchemaCatalog(try store.schema()) }
                    let shown = ShownTransaction(transaction, in: catalog)
                    terminal.data(json ? shown.json.text : shown.text)
                    terminal.flush()
                    count += 1
                }
            }
        }
    }
}

extension Change {
    fileprivate var isSchema: Bool { if case .schema = self { true } else { false } }
}
