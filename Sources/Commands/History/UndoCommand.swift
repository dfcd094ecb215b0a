import Interchange
import Strandline

/// Takes a transaction back.
struct UndoCommand: Command {
    let name = "undo"
    let summary = "take a transaction back as far as it still holds"
    let usage = """
        usage: strandline undo STORE ORIGIN SEQUENCE [--author NAME] [--json]

        Takes a transaction back, by a new one: values that it still wins go back to what they were, what it inserted is deleted,
        what it deleted is restored. What undos put back counts as never overwritten, so that several transactions can be undone,
        the last first, and an undo be undone. Prints what was done, and what could not be taken back because later writes
        hold; fails when nothing could be. 'history' names transactions.

          --author NAME   who changes, for the history; 'cli' unless told otherwise
          --json          {"deleted":…,"restored":…,"updated":…,"leftovers":[{"_id":"…","property":"…","reason":"overwritten"}]}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let author = try arguments.option("--author") ?? "cli"
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let origin = try arguments.positional("ORIGIN", as: ReplicaID.self)
        let sequence = try arguments.positional("SEQUENCE", as: UInt64.self)
        try arguments.finish()
        try await StoreAccess.writing(path, terminal) { store in
            let undo = try await store.undo(origin, sequence, author: author).value
            let snapshot = try store.snapshot()
            func name(_ object: ObjectID) throws -> String {
                try snapshot.row(object).map { object.uri(entity: $0.entity) } ?? object.description
            }
            let failure = CommandError.failed("nothing could be undone of transaction \(sequence): later writes hold")
            guard json else {
                if !undo.isEmpty || undo.leftovers.isEmpty { terminal.say(undo.description) }
                for leftover in undo.leftovers {
                    let property = leftover.property.map { " \($0.name)" } ?? ""
                    terminal.data("\(try name(leftover.object))\(property): \(leftover.reason.rawValue)")
                }
                if undo.isEmpty, !undo.leftovers.isEmpty { throw failure }
                return
            }
            let elements = try undo.leftovers.map { leftover in
                JSONValue.object([
                    JSONMember("_id", .string(try name(leftover.object))),
                    JSONMember("property", leftover.property.map { .string($0.name) } ?? .null),
                    JSONMember("reason", .string(leftover.reason.rawValue)),
                ])
            }
            terminal.json(
                .object([
                    JSONMember("deleted", .integer(Int64(undo.deleted))),
                    JSONMember("restored", .integer(Int64(undo.restored))),
                    JSONMember("updated", .integer(Int64(undo.updated))), JSONMember("leftovers", .array(elements)),
                ]))
            if undo.isEmpty, !undo.leftovers.isEmpty { throw failure }
        }
    }
}
