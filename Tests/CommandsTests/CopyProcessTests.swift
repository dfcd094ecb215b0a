import Foundation
import Testing

/// Stores that were copied, or restored, behind the program's back.
@Suite("A copied store")
struct CopyProcessTests {
    private func copy(_ source: String, _ destination: String, in harness: CommandHarness) async throws {
        let child = try ChildProcess("/bin/cp", ["-a", source, destination], in: harness.directory)
        #expect(await child.wait() == 0)
    }

    private func insert(_ titles: [String], into store: String, _ program: String, _ harness: CommandHarness) async throws {
        for title in titles {
            let child = try ChildProcess(program, ["insert", store, "Post", "--set", "title=" + title], in: harness.directory)
            #expect(await child.wait() == 0)
            #expect(try child.said().split(separator: "\n").allSatisfy { $0.hasPrefix("note: ") })
        }
    }

    private func expect(_ titles: [String], in stores: [String], _ harness: CommandHarness) async throws {
        for store in stores {
            for title in titles {
                #expect(
                    try await harness.output("fetch", store, "Post", "--where", "title == '\(title)'", "--count") == "1",
                    "\(title) in \(store)")
            }
        }
        var digests: Set<String> = []
        for store in stores { digests.insert(try await harness.output("digest", store)) }
        #expect(digests.count == 1)
    }

    @Test("both go on writing, then meet: nothing is lost")
    func copied() async throws {
        guard let program = ChildProcess.path(of: "strandline") else { return }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            try await insert(["before"], into: harness.store, program, harness)
            let twin = harness.directory + "/twin"
            try await copy(harness.store, twin, in: harness)
            try await insert(["a", "b", "c"], into: harness.store, program, harness)
            try await insert(["d", "e"], into: twin, program, harness)
            _ = try await harness.output("sync", harness.store, twin)
            try await expect(["Ada", "before", "a", "b", "c", "d", "e"], in: [harness.store, twin], harness)
            try await insert(["later"], into: twin, program, harness)
            _ = try await harness.output("sync", twin, harness.store)
            try await expect(["a", "d", "later"], in: [harness.store, twin], harness)
        }
    }

    @Test("restored in place from an old copy, it gets back what it had sent, and loses nothing that it writes")
    func restored() async throws {
        guard let program = ChildProcess.path(of: "strandline") else { return }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let (backup, other) = (harness.directory + "/backup", harness.directory + "/other")
            try await copy(harness.store, backup, in: harness)
            try await insert(["a", "b"], into: harness.store, program, harness)
            _ = try await harness.output("create", other, "--join", try await harness.output("token", harness.store))
            _ = try await harness.output("sync", harness.store, other)
            // Over the files that are there: the directory and LOCK stay the same files.
            try await copy(backup + "/.", harness.store, in: harness)
            try await insert(["c"], into: harness.store, program, harness)
            _ = try await harness.output("sync", harness.store, other)
            try await expect(["Ada", "a", "b", "c"], in: [harness.store, other], harness)
            // And in a directory made anew.
            try FileManager.default.removeItem(atPath: harness.store)
            try await copy(backup, harness.store, in: harness)
            try await insert(["d"], into: harness.store, program, harness)
            _ = try await harness.output("sync", other, harness.store)
            try await expect(["Ada", "a", "b", "c", "d"], in: [harness.store, other], harness)
        }
    }
}
