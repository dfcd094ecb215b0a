import Interchange
import Strandline

/// Lets a peer or a consumer go.
struct ForgetCommand: Command {
    let name = "forget"
    let summary = "forget a peer or a consumer, so that it holds up no trim"
    let usage = """
        usage: strandline forget STORE PEER-OR-CONSUMER [--json]

        Forgets how far a peer, given by its replica id or its name, or a consumer, given by its name, has come: it holds up no
        trim any more. 'info' lists them. A peer that comes back is noted anew, and gets what it lacks.

          --json   {"forgotten":1}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let key = try arguments.positional("PEER-OR-CONSUMER")
        try arguments.finish()
        let isForgotten = try await StoreAccess.writing(path, terminal) { store in try await store.forget(key) }
        guard isForgotten else {
            throw CommandError.failed(
                "no peer or consumer is called \(key), or several are; 'strandline info \(path)' lists them with their ids")
        }
        WorkSummary(["forgotten": 1]).print(on: terminal, asJSON: json)
    }
}
