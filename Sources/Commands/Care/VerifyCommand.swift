import Interchange
import Strandline

/// Checks a store, byte by byte.
struct VerifyCommand: Command {
    let name = "verify"
    let summary = "read and check every byte of a store that matters, and what it answers from"
    let usage = """
        usage: strandline verify STORE [--json]

        Reads and checks the log and the blobs of a store, which need not open, and changes nothing. Prints what is damaged, and
        what is worth knowing. When all is well, folds the whole log anew, and compares that with what the store answers from.
        Ends with exit code 1 when something is damaged, or when the two differ.

          --json   one object; "sound" says whether all is well
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let progress = terminal.progress("verify \(path)", total: nil, unit: .bytes)
        defer { progress.finish() }
        let found = try await Store.verify(.directory(path)) { done, total in progress.update(done: done, total: total) }
        progress.finish()
        let state = found.isSound ? try await StoreAccess.reading(path, terminal) { try await $0.verifyState() } : nil
        if json {
            terminal.json(Self.json(found, state))
        } else {
            for problem in found.problems { terminal.data("problem: \(problem)") }
            for note in found.notes { terminal.data("note: \(note)") }
            let elsewhere = found.blobsElsewhere
            terminal.data(
                "\(ProgressLine.bytes(found.bytes)) checked: \(ProgressLine.counted(found.segments, "segment")), "
                    + "\(ProgressLine.counted(found.transactions, "transaction")), \(ProgressLine.counted(found.blobs, "blob"))"
                    + (elsewhere > 0 ? "; \(elsewhere) blobs that it refers to are not in it" : ""))
        }
        guard found.isSound else {
            let count = found.problemCount
            throw CommandError.failed("the store is damaged: \(count) problem\(count == 1 ? "" : "s")")
        }
        guard let state else { return }
        guard state.isSound else {
            throw CommandError.failed(
                "what the store answers from has the digest \(state.digest), and its log folded anew \(state.expected); "
                    + "the log is sound: 'strandline rebuild' makes the rest anew")
        }
        if !json { terminal.data("state \(state.digest), as the log folded anew") }
    }

    static func json(_ found: LogVerification, _ state: StateVerification?) -> JSONValue {
        func number(_ name: String, _ value: Int) -> JSONMember { JSONMember(name, .integer(Int64(value))) }
        func list(_ findings: [LogVerification.Finding]) -> JSONValue {
            .array(
                findings.map { finding in
                    .object([
                        JSONMember("what", .string(finding.what)), JSONMember("remedy", .string(finding.remedy)),
                        JSONMember("path", .string(finding.path)),
                        JSONMember("offset", finding.offset.map { .integer(Int64(clamping: $0)) } ?? .null),
                    ])
                })
        }
        return .object([
            JSONMember("sound", .bool(found.isSound && state?.isSound ?? true)),
            JSONMember("stateDigest", state.map { .string($0.digest) } ?? .null),
            JSONMember("expectedDigest", state.map { .string($0.expected) } ?? .null),
            number("segments", found.segments), number("frames", found.frames), number("transactions", found.transactions),
            number("changes", found.changes), number("stages", found.stages), number("blobs", found.blobs),
            number("blobsElsewhere", found.blobsElsewhere), number("orphans", found.orphans),
            JSONMember("orphanBytes", .integer(Int64(clamping: found.orphanBytes))),
            JSONMember("bytes", .integer(Int64(clamping: found.bytes))),
            number("problemCount", found.problemCount), JSONMember("problems", list(found.problems)),
            number("noteCount", found.noteCount), JSONMember("notes", list(found.notes)),
        ])
    }
}
