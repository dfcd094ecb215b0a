import Interchange
import Strandline

/// Makes a store.
struct CreateCommand: Command {
    let name = "create"
    let summary = "make a store"
    let usage = """
        usage: strandline create STORE [--join DATASET-OR-TOKEN] [--json]

        Makes an empty store in a directory that does not exist yet or is empty, and prints its dataset's id.

          --join ID   the dataset to join: its id, or a history token of it; a new one without
          --json      {"dataset":"…","replica":"…"}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let join = try arguments.option("--join")
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let store = try await Store.create(.directory(path), dataset: try join.map(Self.dataset))
        try await store.close()
        if json {
            terminal.json(
                .object([
                    JSONMember("dataset", .string(store.dataset.description)),
                    JSONMember("replica", .string(store.replica.description)),
                ]))
        } else {
            terminal.data(store.dataset.description)
        }
    }

    private static func dataset(_ text: String) throws(CommandError) -> DatasetID {
        if let dataset = DatasetID(text) { return dataset }
        guard let token = try? HistoryToken(text) else {
            throw .malformed("--join needs a dataset's id (32 hexadecimal digits) or a history token, not '\(text)'")
        }
        return token.dataset
    }
}
