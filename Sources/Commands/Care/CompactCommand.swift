import Interchange
import Strandline

/// Makes what a store answers from as small as it can be.
struct CompactCommand: Command {
    let name = "compact"
    let summary = "merge the runs that a store answers from into one, and remove blobs that nothing names"
    let usage = """
        usage: strandline compact STORE [--json]

        Merges the files of the directory 'runs' of a store into one, without what newer versions of objects have superseded. It is
        done by itself, too, as far as it pays. The log is not touched, and no history is lost; processes that have the store open
        go on, and keep the old files until they have looked again. Then removes the blobs that neither an object nor the history
        names any more, that were not promised to a peer, and that are older than a day.

          --json   one object: {"runs":1,"bytes":12345,"runsBefore":3,"bytesBefore":23456,"blobs":1,"blobsRemoved":0,…}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let (before, blobs) = try await StoreAccess.writing(path, terminal) { store in
            let before = try RunFiles(of: path)
            return (before, try await store.compact())
        }
        let after = try RunFiles(of: path)
        guard json else { return terminal.data("\(after.text), before \(before.text)" + Self.text(blobs)) }
        terminal.json(
            .object([
                JSONMember("runs", .integer(Int64(after.count))), JSONMember("bytes", .integer(Int64(clamping: after.bytes))),
                JSONMember("runsBefore", .integer(Int64(before.count))),
                JSONMember("bytesBefore", .integer(Int64(clamping: before.bytes))),
                JSONMember("blobs", .integer(Int64(blobs.kept + blobs.young))),
                JSONMember("blobsRemoved", .integer(Int64(blobs.removed))),
                JSONMember("blobBytesRemoved", .integer(Int64(clamping: blobs.removedBytes))),
                JSONMember("unfinishedRemoved", .integer(Int64(blobs.abandoned))),
            ]))
    }

    /// What became of the blobs, if anything.
    private static func text(_ blobs: BlobCollection) -> String {
        guard blobs.removed + blobs.abandoned > 0 else { return "" }
        return "; \(blobs.removed) blobs removed that nothing named, and \(blobs.abandoned) unfinished files: "
            + ProgressLine.bytes(blobs.removedBytes + blobs.abandonedBytes)
    }
}
