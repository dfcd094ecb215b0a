import Interchange
import Strandline

/// Prints the history token.
struct TokenCommand: Command {
    let name = "token"
    let summary = "print the history token"
    let usage = """
        usage: strandline token STORE [--json]

        Prints what the store's history covers now: what history --after, fetch --at and digest --at take.

          --json   {"token":"…","dataset":"…","vector":{"REPLICA":SEQUENCE}}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let token = try await StoreAccess.reading(path, terminal) { store in store.token }
        guard json else { return terminal.data(token.description) }
        let vector = token.vector.entries.map { JSONMember($0.origin.description, .integer(Int64(clamping: $0.sequence))) }
        terminal.json(
            .object([
                JSONMember("token", .string(token.description)),
                JSONMember("dataset", .string(token.dataset.description)),
                JSONMember("vector", .object(vector)),
            ]))
    }
}
