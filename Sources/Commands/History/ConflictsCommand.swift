import Interchange
import Strandline

/// Prints concurrent writes of which one could hold only.
struct ConflictsCommand: Command {
    let name = "conflicts"
    let summary = "print writes made without knowledge of each other, winner and losers"
    let usage = """
        usage: strandline conflicts STORE [--since TOKEN] [--json]

        Prints where replicas wrote without knowledge of each other, which write holds, and which lost; also where objects became
        one by their unique key.

          --since TOKEN   without the conflicts that the token covers
          --json          one array of conflicts
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let token = try TextArguments.token(try arguments.option("--since"), "--since")
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        try await StoreAccess.reading(path, terminal) { store in
            let conflicts = try await store.conflicts(since: token)
            let catalog = SchemaCatalog(try store.schema())
            if json { return try terminal.jsonArray(conflicts.lazy.map { Self.json($0, catalog) }) }
            for conflict in conflicts {
                terminal.data("\(conflict.object.uri(entity: conflict.entity)) \(conflict.property.name)")
                terminal.data("  won   " + Self.text(conflict.winner, of: conflict, catalog, isWinner: true))
                for loser in conflict.losers { terminal.data("  lost  " + Self.text(loser, of: conflict, catalog)) }
            }
        }
    }

    private static func text(
        _ contender: Conflict.Contender, of conflict: Conflict, _ catalog: SchemaCatalog, isWinner: Bool = false
    ) -> String {
        let isDelete = isWinner && conflict.kind == .writeAgainstDelete
        let value = isDelete ? "deleted" : shown(contender, of: conflict, catalog).quoted
        let time = DateArgument.text(contender.stamp.timestamp.milliseconds)
        let author = contender.author.isEmpty ? "" : " by \(ShownValue.value(.string(contender.author)).text)"
        return "\(value)  \(time)  \(contender.stamp.replica) \(contender.sequence)\(author)"
    }

    private static func json(_ conflict: Conflict, _ catalog: SchemaCatalog) -> JSONValue {
        func json(_ contender: Conflict.Contender) -> JSONValue {
            .object([
                JSONMember("origin", .string(contender.stamp.replica.description)),
                JSONMember("sequence", .integer(Int64(clamping: contender.sequence))),
                JSONMember("time", .string(DateArgument.text(contender.stamp.timestamp.milliseconds))),
                JSONMember("author", .string(contender.author)),
                JSONMember("value", shown(contender, of: conflict, catalog).json),
            ])
        }
        return .object([
            JSONMember("_id", .string(conflict.object.uri(entity: conflict.entity))),
            JSONMember("entity", .string(conflict.entity)),
            JSONMember("property", .string(conflict.property.name)),
            JSONMember("kind", .string("\(conflict.kind)")),
            JSONMember("winner", json(conflict.winner)),
            JSONMember("losers", .array(conflict.losers.map(json))),
        ])
    }

    private static func shown(
        _ contender: Conflict.Contender, of conflict: Conflict, _ catalog: SchemaCatalog
    ) -> ShownValue {
        catalog.shown(contender.value, of: conflict.property, in: conflict.entity)
    }
}
