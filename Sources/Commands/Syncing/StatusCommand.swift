import EventLog
import Interchange
import Strandline

/// Tells how a store and its peers stand.
struct StatusCommand: Command {
    let name = "status"
    let summary = "tell how far each peer has come, since when one is stalled, and why"
    let usage = """
        usage: strandline status STORE [--json]

        One word for all peers, and a line for each: what it has not acknowledged, when it was last heard of, since when it is
        stalled, the last error, and what to do about it. What other processes of the store, such as 'serve' or 'sync --watch',
        do at the moment is taken from what they recorded; 'log' shows all of that.

          --json   one object
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let status = try await StoreAccess.reading(path, terminal) { store in try store.syncStatus() }
        let notes = try PeerNotes(path)
        var lines = status.peers.map { StatusLine($0, notes[$0.name]) }
        let names = Set(lines.map(\.name))
        lines += notes.names.filter { !names.contains($0) }.map { StatusLine($0, notes[$0]) }
        if json {
            return terminal.json(
                .object([
                    JSONMember("status", .string(Self.summary(status, lines))), JSONMember("peers", .array(lines.map(\.json))),
                ]))
        }
        terminal.data(Self.summary(status, lines))
        for line in lines { for text in line.texts { terminal.data(text) } }
    }

    /// What a peer that only other processes know of adds to what the store knows.
    private static func summary(_ status: SyncStatus, _ lines: [StatusLine]) -> String {
        let isFailing = lines.contains { $0.error != nil }
        switch status.summary {
        case .alone, .upToDate, .behind: return isFailing ? "failing" : lines.isEmpty ? "alone" : status.summary.rawValue
        default: return status.summary.rawValue
        }
    }
}
