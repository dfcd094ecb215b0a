import Interchange
import Strandline

/// Lets go of history.
struct TrimCommand: Command {
    let name = "trim"
    let summary = "let go of history, and keep what it came to"
    let usage = """
        usage: strandline trim STORE --before TOKEN [--force] [--json]

        Replaces the history that a token covers by the state it came to: objects stay as they are, deleted ones stay deleted
        whoever comes late, and what is above the floor stays word for word. The log goes in whole files, so the floor may stay
        below the token. It does not pass what a peer or a consumer has not acknowledged; each is named. 'forget' lets one go,
        and after thirty days of silence it holds up nothing by itself.

          --before TOKEN   what need not be kept, as 'token' prints it
          --force          pass what others have not acknowledged, and trim although an origin has forked (a copied store, or a
                           machine set back); 'verify' the store then
          --json           {"floor":"…","transactions":N,"bytesFreed":N,"blockers":[{"name":…,"peer":…,"lag":N}]}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let force = try arguments.flag("--force")
        let text = try arguments.option("--before")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        guard let token = try TextArguments.token(text, "--before") else {
            throw CommandError.usage("trim needs --before TOKEN; 'strandline token \(path)' prints the latest")
        }
        let report = try await StoreAccess.writing(path, terminal) { store in
            try await store.trim(before: token, force: force)
        }
        for blocker in report.blockers {
            terminal.say(
                "note: \(blocker.record.title) has not acknowledged \(blocker.lag) of the transactions; it holds them back until it does, "
                    + "or 'strandline forget \(path) \(blocker.record.key)', or --force")
        }
        guard json else {
            let freed =
                report.bytesFreed < 0
                ? "-" + ProgressLine.bytes(report.bytesFreed.magnitude) : ProgressLine.bytes(UInt64(report.bytesFreed))
            return terminal.data("\(report.transactions) transactions trimmed, \(freed) free")
        }
        terminal.json(
            .object([
                JSONMember("floor", report.floor.map { .string($0.description) } ?? .null),
                JSONMember("transactions", .integer(Int64(clamping: report.transactions))),
                JSONMember("bytesFreed", .integer(report.bytesFreed)),
                JSONMember("blockers", .array(report.blockers.map(Self.json))),
            ]))
    }

    private static func json(_ blocker: TrimReport.Blocker) -> JSONValue {
        .object([
            JSONMember("name", .string(blocker.record.name)),
            JSONMember("peer", blocker.record.replica.map { .string($0.description) } ?? .null),
            JSONMember("lag", .integer(Int64(clamping: blocker.lag))),
        ])
    }
}

extension PeerRecord {
    /// The replica's id; nil for a consumer.
    var replica: ReplicaID? { if case .peer(let id) = kind { id } else { nil } }

    /// What it is called in a sentence.
    var title: String {
        switch kind {
        case .peer(let id): name.isEmpty ? "peer \(id)" : "peer \(name) (\(id))"
        case .consumer: "consumer \(name)"
        }
    }
}
