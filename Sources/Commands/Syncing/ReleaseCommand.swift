import Interchange
import Strandline

/// Applies what waits because its clock was ahead.
struct ReleaseCommand: Command {
    let name = "release"
    let summary = "apply what was received of an origin and waits for its time"
    let usage = """
        usage: strandline release STORE ORIGIN [--json]

        Applies the transactions of an origin that are here and wait because its clock was over a minute ahead. This store's
        clock is as far ahead afterwards. 'info' lists what waits.

          --json   {"released":N}, in transactions
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let origin = try arguments.positional("ORIGIN", as: ReplicaID.self)
        try arguments.finish()
        let released = try await StoreAccess.writing(path, terminal) { store in
            let held = store.heldOrigins.first { $0.origin == origin }
            guard try await store.release(origin), let held else {
                throw CommandError.failed("nothing of origin \(origin) waits; 'strandline info \(path)' lists what does")
            }
            return held.sequences.count
        }
        WorkSummary(["released": released]).print(on: terminal, asJSON: json)
    }
}
