import Storage
import Strandline

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Shows what the program is for, in one go.
struct DemoCommand: Command {
    let name = "demo"
    let summary = "generate, import, edit on three replicas at once, sync, and show that they agree"
    let usage = """
        usage: strandline demo [DIR] [--scale F]

        Fills a store with posts, pictures and imported earthquakes, syncs it to two more over a shared folder, edits all three at
        once, syncs again, and shows the conflicts, the past, and that all pictures are whole. Tells what it does on standard
        error. The last line on standard output is

          agree DIGEST REPLICAS

        or, with exit code 1, "disagree" with the digest of each.

          DIR         where; must be empty or missing, and is kept. Without, a temporary directory that is removed.
          --scale F   so many times the data; 1 unless told otherwise
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let scale = try arguments.option("--scale", as: Double.self) ?? 1
        let given = try arguments.optionalPositional("DIR")
        try arguments.finish()
        guard scale > 0, scale <= 1_000 else { throw CommandError.usage("--scale needs a number above 0, at most 1000") }
        let files = Environment.system.fileSystem
        let directory = given ?? Self.temporary()
        try files.createDirectories(directory)
        guard try files.list(directory).isEmpty else {
            throw CommandError.failed("\(directory) is not empty; give a directory that is, or none")
        }
        defer { if given == nil { try? files.removeTree(directory) } }
        let digests = try await Demo(in: directory, scale: scale, terminal).run()
        guard Set(digests).count == 1 else {
            terminal.data("disagree \(digests.joined(separator: " "))")
            throw CommandError.failed("the replicas have seen the same history and disagree")
        }
        terminal.data("agree \(digests[0]) \(digests.count)")
    }

    private static func temporary() -> String {
        let number = Digest128.hex(Environment.system.random.next())
        return Path.join(FileManager.default.temporaryDirectory.path, "strandline-demo-\(number)")
    }
}
