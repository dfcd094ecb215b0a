import Interchange
import Strandline

/// Makes what a store answers from anew.
struct RebuildCommand: Command {
    let name = "rebuild"
    let summary = "make what a store answers from anew, from its log"
    let usage = """
        usage: strandline rebuild STORE [--json]

        Folds the whole log anew and writes the result to the directory 'runs' of the store, in the place of what was there.
        Nothing is lost, and nothing needs it: what is missing or damaged there is made anew by itself. The log and the blobs are
        not touched; processes that have the store open go on.

          --json   one object: {"digest":"…","runs":1,"bytes":12345}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let digest = try await StoreAccess.writing(path, terminal) { store in
            try await store.rebuild()
            return try store.digest()
        }
        let files = try RunFiles(of: path)
        guard json else { return terminal.data("\(files.text); state digest \(digest)") }
        terminal.json(
            .object([
                JSONMember("digest", .string(digest)), JSONMember("runs", .integer(Int64(files.count))),
                JSONMember("bytes", .integer(Int64(clamping: files.bytes))),
            ]))
    }
}
