import Interchange
import Strandline

/// Copies a store that is in use.
struct BackupCommand: Command {
    let name = "backup"
    let summary = "copy a store while it is in use"
    let usage = """
        usage: strandline backup STORE DEST [--json]

        Copies what is durable now to another directory, which must be empty or not exist, while others go on using the store.
        The copy is a store of its own: it may be opened, written, and synced with the first.

          --json   {"transactions":N,"segments":N,"blobs":N,"bytes":N}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        let destination = try arguments.positional("DEST")
        try arguments.finish()
        let copy = try await StoreAccess.reading(path, terminal) { store in
            let progress = terminal.progress("backup \(path)", total: nil, unit: .bytes)
            defer { progress.finish() }
            return try await store.backup(to: destination) { done, total in progress.update(done: done, total: total) }
        }
        if json {
            terminal.json(
                .object([
                    JSONMember("transactions", .integer(Int64(clamping: copy.lastLSN))),
                    JSONMember("segments", .integer(Int64(copy.segments))),
                    JSONMember("blobs", .integer(Int64(copy.blobs))),
                    JSONMember("bytes", .integer(Int64(clamping: copy.bytes))),
                ]))
        } else {
            terminal.data(
                "\(ProgressLine.bytes(copy.bytes)) copied: \(ProgressLine.counted(Int(clamping: copy.lastLSN), "transaction")), "
                    + ProgressLine.counted(copy.blobs, "blob")
            )
        }
    }
}
