import Commands
import Foundation
import SampleModel
import Simulation
import Strandline
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Two processes that sync through a socket, and are killed while they do.
@Suite("Processes that sync")
struct SyncProcessTests {
    @Test("killed at any moment, either goes on where it was", arguments: 0..<3)
    func kills(seed: Int) async throws { try await Self.kill(seed: seed, times: 12) }

    /// Whoever is killed, whenever: in the end both have everything, once.
    static func kill(seed: Int, times: Int) async throws {
        guard let program = ChildProcess.path(of: "strandline") else { return }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let other = harness.directory + "/other"
            let socket = harness.directory + "/s"
            let here = try await harness.open()
            for number in 0..<60 {
                try await here.write(durability: .relaxed) { tx in
                    for post in 0..<200 {
                        _ = try tx.insert(Post(title: "here \(number).\(post)", content: "\(number * post)"))
                    }
                }
            }
            let dataset = here.dataset
            try await here.close()
            _ = try await harness.output("create", other, "--join", dataset.description)
            var server: ChildProcess?
            let random = SeededRandom(seed: UInt64(seed))
            for round in 0..<times {
                let there = try await harness.open(other)
                try await there.write { tx in _ = try tx.insert(Post(title: "there \(round)")) }
                try await there.close()
                if server == nil {
                    let child = try ChildProcess(
                        program, ["serve", harness.store, "--listen", "unix:" + socket], in: harness.directory)
                    try await child.waitUntilSaid("serving")
                    server = child
                }
                let client = try ChildProcess(program, ["sync", other, "unix:" + socket], in: harness.directory)
                try await Task.sleep(for: .microseconds(Int(random.next() % 120_000)))
                if round % 2 == 0 {
                    client.send(SIGKILL)
                    _ = await client.wait()
                } else {
                    server?.send(SIGKILL)
                    _ = await server?.wait()
                    server = nil
                    let code = await client.wait()
                    let said = try client.said()
                    #expect([0, 1].contains(code), "\(said)")
                }
            }
            server?.send(SIGTERM)
            _ = await server?.wait()
            let child = try ChildProcess(
                program, ["serve", harness.store, "--listen", "unix:" + socket], in: harness.directory)
            try await child.waitUntilSaid("serving")
            let last = try await harness.output("sync", other, "unix:" + socket, "--json")
            #expect(last.contains("\"repeated\":0"))
            child.send(SIGTERM)
            #expect(await child.wait() == 0)
            let (one, two) = (try await harness.open(), try await harness.open(other))
            let digests = (try one.digest(), try two.digest())
            #expect(digests.0 == digests.1)
            #expect(try two.count(Post.where { $0.title.hasPrefix("here") }) == 12_000)
            #expect(try one.count(Post.where { $0.title.hasPrefix("there") }) == times)
            for store in [one, two] {
                #expect(try await store.verify().problems == [])
                #expect(try await DenseHistory.problems(of: store) == [])
                try await store.close()
            }
        }
    }

    @Test("a peer at the standard streams of a child process")
    func exec() async throws {
        guard let program = ChildProcess.path(of: "strandline") else { return }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let other = harness.directory + "/other"
            let dataset = try await harness.open()
            _ = try await harness.output("create", other, "--join", dataset.dataset.description)
            try await dataset.close()
            _ = try await harness.output("sync", other, "exec:'\(program)' serve '\(harness.store)' --stdio")
            let digests = [try await harness.output("digest", other), try await harness.output("digest", harness.store)]
            #expect(digests[0] == digests[1])
            let failing = await harness.run("sync", other, "exec:echo no such thing >&2; exit 3")
            #expect(failing.code == .failed && failing.talk.contains("no such thing"))
        }
    }

    @Test("two processes that watch a folder, until they are interrupted")
    func watchFolder() async throws {
        guard let program = ChildProcess.path(of: "strandline") else { return }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let (other, shared) = (harness.directory + "/other", harness.directory + "/shared")
            try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
            let here = try await harness.open()
            let dataset = here.dataset.description
            try await here.close()
            _ = try await harness.output("create", other, "--join", dataset)
            let children = try [harness.store, other].map { store in
                try ChildProcess(program, ["sync", store, "folder:" + shared, "--watch", "--json"], in: harness.directory)
            }
            for child in children { try await child.waitUntilSaid("export to folder:\(shared) ended") }
            _ = try await harness.output("insert", harness.store, "Post", "--set", "title=heard of")
            try await waitUntil { try children[1].text().contains("\"event\":\"import\",") }
            let there = try await harness.open(other)
            try await waitUntil { try there.count(Post.where { $0.title == "heard of" }) == 1 }
            try await there.close()
            children[0].send(SIGINT)
            children[1].send(SIGTERM)
            for child in children { #expect(await child.wait() == 0) }
            // A store in the place of the folder ends it, with the reason.
            let wrong = "folder:" + harness.store
            let failing = try ChildProcess(program, ["sync", other, wrong, "--watch"], in: harness.directory)
            #expect(await failing.wait() == 1)
            let said = try failing.said()
            #expect(said.contains("is a store, not a folder to share"))
        }
    }
}
