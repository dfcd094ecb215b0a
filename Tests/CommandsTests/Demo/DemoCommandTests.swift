import Commands
import Storage
import Testing

@Suite("DemoCommand")
struct DemoCommandTests {
    @Test("three replicas agree, and the last line says so")
    func agree() async throws {
        try await withTemporaryDirectory { directory in
            let fake = FakeTerminal()
            let code = await CommandTable.strandline.run(["demo", directory + "/demo", "--scale", "0.01"], fake.terminal)
            #expect(code == .done, "\(fake.talk.text)")
            let words = fake.output.text.split(separator: "\n").last?.split(separator: " ") ?? []
            #expect(words.count == 3 && words.first == "agree" && words.last == "3")
            #expect(words.count == 3 && Digest128(words[1]) != nil)
            #expect(fake.talk.text.contains("  Post.title: Anna's delete holds, not Carla's 'Carla's favourite'\n"))
            #expect(fake.talk.text.contains("holds, not Anna's 'Anna's title' and Ben's 'Ben's title'\n"))
            let again = FakeTerminal()
            #expect(await CommandTable.strandline.run(["demo", directory + "/demo"], again.terminal) == .failed)
            #expect(again.talk.text.contains("is not empty"))
        }
    }
}
