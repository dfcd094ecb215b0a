import Commands
import SampleModel
import Strandline
import Testing

@Suite("GenerateCommand")
struct GenerateCommandTests {
    private func run(_ arguments: [String]) async -> (code: ExitCode, output: String, talk: String) {
        let fake = FakeTerminal()
        let code = await CommandTable.strandline.run(arguments, fake.terminal)
        return (code, fake.output.text, fake.talk.text)
    }

    @Test("makes posts, and posts with pictures, in a store it makes")
    func both() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/store"
            let posts = await run(["generate", path, "posts", "--count", "30", "--verify"])
            #expect(posts.code == .done && posts.output == "30 objects\n")
            let options = ["--posts", "2", "--attachments", "3", "--image-size", "100kB", "--seed", "2", "--verify", "--json"]
            let large = await run(["generate", path, "large"] + options)
            #expect(large.code == .done && large.output == #"{"objects":14,"blobs":6,"bytes":600000}"# + "\n")
            let again = await run(["generate", path, "posts", "--count", "30"])
            #expect(again.code == .failed)
            #expect(again.talk.contains("the store has what seed 1 makes already; choose another seed"))
            let store = try await Store.open(.directory(path), Post.self, Attachment.self, ImageData.self)
            #expect(try store.count(Post.all) == 32)
            #expect(try store.count(ImageData.all) == 6)
            try await store.close()
        }
    }

    @Test("both kinds go into one store with one seed")
    func oneSeed() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/store"
            let large = ["generate", path, "large", "--posts", "2", "--attachments", "1", "--image-size", "1kB", "--verify"]
            #expect(await run(large).code == .done)
            let posts = await run(["generate", path, "posts", "--count", "5", "--verify"])
            #expect(posts.code == .done, "\(posts.talk)")
            let store = try await Store.open(.directory(path), Post.self, Attachment.self, ImageData.self)
            #expect(try store.count(Post.all) == 7)
            try await store.close()
            #expect(await run(large).talk.contains("the store has what seed 1 makes already; choose another seed"))
        }
    }

    @Test(
        "every generator makes what its check finds",
        arguments: ["sparse", "edges", "graph", "churn", "random", "conflicts"])
    func every(_ kind: String) async throws {
        try await withTemporaryDirectory { directory in
            let made = await run(["generate", directory + "/store", kind, "--count", "60", "--seed", "7", "--verify"])
            #expect(made.code == .done && made.output == "60 objects\n", "\(made.talk)")
            let again = await run(["generate", directory + "/store", kind, "--count", "60", "--seed", "7"])
            #expect(again.code == .failed && again.talk.contains("choose another seed"), "\(again.talk)")
        }
    }

    @Test("refuses options of the other kind, and lengths that are none")
    func usage() async {
        #expect(await run(["generate", "s", "posts", "--photos", "d"]).talk.contains("are for large"))
        #expect(await run(["generate", "s", "large", "--count", "1"]).talk.contains("--count is for all but large"))
        for size in ["5XB", "20MB...10MB", "-1", "", "..."] {
            #expect(await run(["generate", "s", "large", "--image-size=\(size)"]).code == .usage)
        }
        let some = await run(["generate", "s", "some"])
        #expect(some.talk.contains("needs one of posts, large, sparse, edges, graph, churn, random, conflicts, not 'some'"))
    }
}
