import Interchange
import Strandline

/// Takes a transaction back.
struct UndoCommand: Command {
    let name = "undo"
    let summary = "take a transaction back as far as it still holds"
    let usage = """
        usage: strandline undo STORE ORIGIN SEQUENCE [--author NAME] [--json]

        Takes a transaction back, by a new one: values that it still wins go back to what they were, what it inserted is deleted,
        what it deleted is restored. Prints what could not be taken back, because later writes hold. 'history' names
        transactions.

          --author NAME   who changes, for the history; 'cli' unless told otherwise
          --json          {"leftovers":[{"_id":"…","property":"…","reason":"overwritten"}]}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let author = try arguments.option("--author") ?? "cli"
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let origin = try arguments.positional("ORIGIN", as: ReplicaID.self)
        let sequence = try arguments.positional("SEQUENCE", as: UInt64.self)
        try arguments.finish()
        try await StoreAccess.writing(path, terminal) { store in
            let leftovers = try await store.undo(origin, sequence, author: author).value
            let snapshot = try store.snapshot()
            func name(_ object: ObjectID) throws -> String {
                try snapshot.row(object).map { object.uri(entity: $0.entity) } ?? object.description
            }
            guard json else {
                for leftover in leftovers {
                    let property = leftover.property.map { " \($0.name)" } ?? ""
                    terminal.data("\(try name(leftover.object))\(property): \(leftover.reason.rawValue)")
                }
                return
            }
            let elements = try leftovers.map { leftover in
                JSONValue.object([
                    JSONMember("_id", .string(try name(leftover.object))),
                    JSONMember("property", leftover.property.map { .string($0.name) } ?? .null),
                    JSONMember("reason", .string(leftover.reason.rawValue)),
                ])
            }
            terminal.json(.object([JSONMember("leftovers", .array(elements))]))
        }
    }
}
