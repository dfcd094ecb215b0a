import Foundation
import SampleModel
import Strandline
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A writer that is killed at any moment, over and over.
@Suite("A killed writer")
struct CrashProcessTests {
    private static let stores = 25
    private static let killsPerStore = 8

    @Test("leaves every acknowledged transaction, and no half of one", arguments: 0..<stores)
    func kills(number: Int) async throws {
        guard let writer = ChildProcess.path(of: "CrashWriter") else { return }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            var acknowledged: Set<String> = []
            var written = 0
            for kill in 0..<Self.killsPerStore {
                let child = try ChildProcess(writer, [harness.store, "\(kill)", "1000000"], in: harness.directory)
                // Spread over the start and the recovery after the last kill, by turns with the writing.
                if kill % 2 == 1 { try await child.waitUntilPrinted(1 + (number * 37 + kill * 61) % 90) }
                try await Task.sleep(for: .milliseconds((number * 37 + kill * 61) % 90))
                child.send(SIGKILL)
                #expect(await child.wait() == -SIGKILL)
                #expect(try child.said() == "")
                acknowledged.formUnion(try child.lines().map(String.init))

                let store = try await harness.open()
                let posts = try store.fetch(Post.where { $0.views == 0 })
                let titles = Set(posts.map(\.title))
                #expect(acknowledged.isSubset(of: titles), "lost: \(acknowledged.subtracting(titles))")
                #expect(posts.count == titles.count, "written twice")
                #expect(posts.allSatisfy { $0.attachments.count == 1 }, "half a transaction")
                let names = try store.fetch(Attachment.where { $0.name != "first" && $0.name != "second" }).map(\.name)
                #expect(names.count == titles.count && Set(names) == titles)
                // At most the one that was under way may be there without having been acknowledged.
                #expect(titles.count <= acknowledged.count + kill + 1)
                if kill % 4 == 3 {
                    #expect(try await DenseHistory.problems(of: store) == [])
                    #expect(try await store.verify().problems == [])
                }
                written = titles.count
                try await store.close()
            }
            #expect(written > 0, "no writer got to write")
        }
    }

    /// Runs are written after every few transactions, and merged; what is opened then is what the log means.
    @Test("while it writes and merges runs leaves a projection that equals a fresh fold", arguments: 0..<12)
    func killsWithinRuns(number: Int) async throws {
        guard let writer = ChildProcess.path(of: "CrashWriter") else { return }
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            var acknowledged: Set<String> = []
            for kill in 0..<Self.killsPerStore {
                let memory = ["2000", "9000", "40000"][(number + kill) % 3]
                let child = try ChildProcess(writer, [harness.store, "\(kill)", "1000000", memory], in: harness.directory)
                if kill % 2 == 0 { try await child.waitUntilPrinted(1 + (number * 41 + kill * 67) % 130) }
                try await Task.sleep(for: .milliseconds(10 + (number * 41 + kill * 67) % 130))
                child.send(SIGKILL)
                #expect(await child.wait() == -SIGKILL)
                #expect(try child.said() == "")
                acknowledged.formUnion(try child.lines().map(String.init))
                // Every other time the next writer opens what this one left.
                guard kill % 2 == 1 else { continue }
                let store = try await harness.open()
                let state = try await store.verifyState()
                #expect(state.isSound, "\(state)")
                let titles = Set(try store.fetch(Post.all).map(\.title))
                #expect(acknowledged.isSubset(of: titles), "lost: \(acknowledged.subtracting(titles))")
                #expect(try store.count(Attachment.all) == titles.count - 1)
                #expect(store.reports.isEmpty)
                try await store.close()
            }
            #expect(!acknowledged.isEmpty, "no writer got to write")
        }
    }
}
