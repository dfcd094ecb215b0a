import Commands
import Foundation
import Interchange
import Testing

@Suite("LogCommand")
struct LogCommandTests {
    @Test("prints what the processes of a store did, the oldest first, also when the store does not open")
    func all() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            _ = try await harness.output("compact", harness.store)
            let text = try await harness.output("log", harness.store)
            let lines = text.split(separator: "\n")
            let times = lines.map { $0.prefix(24) }
            #expect(lines.count > 6 && times == times.sorted())
            #expect(lines.first?.hasSuffix("opening the store began") ?? false, "\(text)")
            #expect(lines.contains { $0.contains("info    store      compaction ended: milliseconds ") }, "\(text)")
            try FileManager.default.removeItem(atPath: harness.store + "/MANIFEST")
            #expect(await harness.run("token", harness.store).code == .failed)
            let after = try await harness.output("log", harness.store, "--level", "error")
            #expect(after.contains("opening the store failed") && after.contains("file MANIFEST"), "\(after)")
        }
    }

    @Test("chooses by predicate, category, level and time, as objects are chosen")
    func chosen() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let folder = harness.directory + "/folder"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            _ = try await harness.output("sync", harness.store, "folder:" + folder)
            let sync = try await harness.output(
                "log", harness.store, "--where", "message CONTAINS[cd] 'FOLDER:' AND category == 'sync' AND kind == 'exported'")
            #expect(sync.split(separator: "\n").count == 1 && sync.contains("transactions 2"), "\(sync)")
            let exported = try await harness.run(
                "log", harness.store, "--where", "transactions > 1 AND peer ENDSWITH 'folder'", "--json"
            ).json()
            guard case .array(let records) = exported else { return #expect(Bool(false), "\(exported)") }
            #expect(records.count == 1 && records.first?["kind"] == .string("exported"))
            #expect(records.first?["transactions"] == .integer(2))
            let category = try await harness.output("log", harness.store, "--category", "sync")
            #expect(category.split(separator: "\n").allSatisfy { $0.contains("  sync  ") } && !category.isEmpty)
            #expect(try await harness.output("log", harness.store, "--since", "2999-01-01") == "")
            #expect(
                try await harness.output("log", harness.store, "--since", "2020-01-01", "--count", "2").split(separator: "\n")
                    .count == 2)
            #expect(try await harness.output("log", harness.store, "--where", "milliseconds > 1e9") == "")
        }
    }

    @Test("goes on with what comes, from any process")
    func follow() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            async let outcome = harness.run(
                "log", harness.store, "--follow", "--where", "kind == 'compaction' AND phase == 'end'", "--count", "1",
                "--json",
                "--timeout", "1200")
            // It may begin to follow after the first of them, but not after all.
            for _ in 0..<50 { _ = try await harness.output("compact", harness.store) }
            let seen = await outcome
            #expect(seen.code == .done && seen.talk == "following \(harness.store)\n")
            #expect(seen.output.hasPrefix(#"{"time":""#) && seen.output.split(separator: "\n").count == 1, "\(seen.output)")
        }
    }

    @Test("says what is wrong with the command line")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let store = harness.store
            try await harness.refuses("log", store, "--where", "mesage == 'x'", code: .usage, saying: "message")
            try await harness.refuses("log", store, "--where", "level ==", code: .usage, saying: "--where")
            try await harness.refuses(
                "log", store, "--category", "stores", code: .usage, saying: "store, scheduler, push, sync")
            try await harness.refuses("log", store, "--since", "soon", code: .usage, saying: "--since needs a date")
            try await harness.refuses("log", store, "--timeout", "1", code: .usage, saying: "--follow")
            try await harness.refuses("log", harness.directory + "/none", code: .failed, saying: "there is no store")
            try await harness.refuses("log", harness.directory, code: .failed, saying: "no bundle")
        }
    }

    @Test("what is no record is counted, and what would move the cursor is shown as what it is")
    func damaged() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let path = harness.store + "/logs/00000000T000000000Z-0.jsonl"
            let line =
                #"{"time":"2020-01-01T00:00:00.000Z","level":"info","category":"sync","kind":"x","message":"a\u001b[2Jb"}"#
            try Data("garbage\n\u{0}\u{0}\n\(line)\n{\"half".utf8).write(to: URL(filePath: path))
            let outcome = await harness.run("log", harness.store, "--count", "1")
            #expect(outcome.code == .done && outcome.output.hasSuffix("  a\\u{1b}[2Jb\n"), "\(outcome.output)")
            #expect(outcome.talk.contains("2 lines"))
        }
    }
}
