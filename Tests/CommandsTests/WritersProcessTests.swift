import Commands
import Foundation
import Interchange
import SampleModel
import Simulation
import Strandline
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Several processes with one store.
@Suite("Processes that share a store")
struct WritersProcessTests {
    @Test("two write a thousand transactions each, a third sees them all")
    func concurrent() async throws {
        guard let writer = ChildProcess.path(of: "CrashWriter"), let program = ChildProcess.path(of: "strandline") else {
            return
        }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let watch = try ChildProcess(
                program, ["watch", harness.store, "--json", "--count", "2000", "--timeout", "1200", "--entity", "Post"],
                in: harness.directory)
            try await watch.waitUntilSaid("watching")
            let writers = try ["left", "right"].map {
                try ChildProcess(writer, [harness.store, $0, "1000"], in: harness.directory)
            }
            for writer in writers {
                #expect(await writer.wait() == 0)
                #expect(try writer.said() == "")
            }
            #expect(await watch.wait() == 0)
            let wanted = Set(try writers.flatMap { try $0.lines() }.map(String.init))
            #expect(wanted.count == 2000)

            var seen: [String] = []
            for line in try watch.lines() {
                var parser = JSONParser(MemoryByteSource(Array(line.utf8)))
                guard case .array(let changes)? = try parser.value()["changes"] else { continue }
                for change in changes { if case .string(let title)? = change["values"]?["title"] { seen.append(title) } }
            }
            #expect(seen.count == 2000)
            #expect(Set(seen) == wanted)

            let store = try await harness.open()
            let titles = try store.fetch(Post.where { $0.views == 0 }).map(\.title)
            #expect(titles.count == 2000 && Set(titles) == wanted)
            #expect(try await DenseHistory.problems(of: store) == [])
            try await store.close()
        }
    }

    @Test("ten read while one writes; none waits, and none sees half a transaction")
    func readers() async throws {
        guard let writer = ChildProcess.path(of: "CrashWriter"), let reader = ChildProcess.path(of: "StoreReader") else {
            return
        }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let readers = try (0..<10).map { _ in try ChildProcess(reader, [harness.store, "503"], in: harness.directory) }
            let writing = try ChildProcess(writer, [harness.store, "busy", "500", "20000"], in: harness.directory)
            #expect(await writing.wait() == 0)
            for reader in readers {
                #expect(await reader.wait() == 0)
                #expect(try reader.said() == "")
                #expect(try Int(reader.lines().first ?? "") ?? 0 > 1)
            }
        }
    }

    @Test("an app observes what another process writes")
    func observation() async throws {
        guard let writer = ChildProcess.path(of: "CrashWriter") else { return }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let store = try await harness.open()
            let token = store.token
            var counts = store.counts(of: Post.all).makeAsyncIterator()
            var values = store.values(of: Post.all.sorted(by: \.title)).makeAsyncIterator()
            #expect(try await counts.next() == 3)
            #expect(try await values.next()?.count == 3)
            let process = try ChildProcess(writer, [harness.store, "other", "100"], in: harness.directory)
            var told = 0
            while told < 103, let count = try await counts.next() {
                #expect(count > told)
                told = count
            }
            #expect(told == 103)
            var seen = 0
            while seen < 103, let posts = try await values.next() { seen = posts.count }
            #expect(await process.wait() == 0)
            var changes = store.changes(entities: ["Post"], after: token).makeAsyncIterator()
            var inserted = 0
            while inserted < 100, let transaction = try await changes.next() {
                #expect(!transaction.isOwn && transaction.header.author == "other")
                inserted += transaction["Post"]?.inserted.count ?? 0
            }
            #expect(inserted == 100)
            try await store.close()
        }
    }

    @Test("watch ends well when it is interrupted", arguments: [SIGINT, SIGTERM])
    func interruption(signal: Int32) async throws {
        guard let program = ChildProcess.path(of: "strandline") else { return }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let watch = try ChildProcess(program, ["watch", harness.store], in: harness.directory)
            try await watch.waitUntilSaid("watching")
            let bob = try await harness.post("Bob")
            _ = try await harness.output("update", harness.store, "Post", "--where", "title == 'Bob'", "--set", "views=8")
            try await waitUntil { try watch.lines().count >= 3 }
            watch.send(signal)
            #expect(await watch.wait() == 0)
            #expect(try watch.lines().dropFirst() == ["  update \(bob)", "    views: 2 → 8"])
        }
    }

    @Test("a disk that takes no more is one sentence, and changes nothing")
    func full() async throws {
        guard let program = ChildProcess.path(of: "strandline") else { return }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let token = try await harness.output("token", harness.store)
            let digest = try await harness.output("digest", harness.store)
            // Files may not grow at all, which is reported as a full disk is, by an error of the write.
            let command = "(trap '' XFSZ; ulimit -f 0; exec \"$0\" insert \"$1\" Post --set title=x) 2>&1 | cat"
            let shell = try ChildProcess("/bin/sh", ["-c", command, program, harness.store], in: harness.directory)
            _ = await shell.wait()
            let lines = try shell.lines()
            #expect(lines.count == 1, "\(lines)")
            #expect(lines.first?.hasPrefix("strandline insert: ") == true, "\(lines)")
            #expect(try await harness.output("token", harness.store) == token)
            #expect(try await harness.output("digest", harness.store) == digest)
            _ = try await harness.output("insert", harness.store, "Post", "--set", "title=room again")
            #expect(try await harness.output("fetch", harness.store, "Post", "--count") == "4")
        }
    }
}
