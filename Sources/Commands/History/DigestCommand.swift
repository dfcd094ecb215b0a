import Interchange
import Strandline

/// Prints the state digest.
struct DigestCommand: Command {
    let name = "digest"
    let summary = "print a number that stores with the same state have in common"
    let usage = """
        usage: strandline digest STORE [--at TOKEN] [--content] [--json]

        Prints 32 hexadecimal digits. Stores of a dataset with the same history have the same digest.

          --at TOKEN   of the state when the store's history was what the token covers
          --content    of names and values alone: to compare datasets that were made from one seed
          --json       {"digest":"…"}
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let token = try TextArguments.token(try arguments.option("--at"), "--at")
        let content = try arguments.flag("--content")
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let digest = try await StoreAccess.reading(path, terminal) { store in
            let snapshot = try await store.snapshot(optionallyAt: token)
            return try content ? snapshot.contentDigest() : snapshot.digest()
        }
        if json {
            terminal.json(.object([JSONMember("digest", .string(digest))]))
        } else {
            terminal.data(digest)
        }
    }
}
