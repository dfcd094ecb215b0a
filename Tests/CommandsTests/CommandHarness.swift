import Commands
import Foundation
import Interchange
import SampleModel
import Strandline
import Testing

/// A directory of its own with a store in it, and commands run against it in this process.
struct CommandHarness {
    struct Outcome {
        let code: ExitCode
        /// Standard output, and standard error.
        let output: String
        let talk: String
        let bytes: [UInt8]

        /// The output as JSON.
        func json() throws -> JSONValue {
            var parser = JSONParser(MemoryByteSource(Array(output.utf8)))
            return try parser.value()
        }
    }

    let directory: String
    var store: String { directory + "/store" }

    /// Runs `body` in a new directory, which is removed afterwards.
    static func run(_ body: (CommandHarness) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "strandline-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await body(CommandHarness(directory: directory))
    }

    /// Runs `body` with a store of three posts: one, two and three views, titles Ada, Bob and Cyd; Ada with two attachments.
    static func withPosts(_ body: (CommandHarness) async throws -> Void) async throws {
        try await run { harness in
            let store = try await harness.open()
            try await store.write(author: "test") { tx in
                let ada = try tx.insert(
                    Post(title: "Ada", createdAt: Date(timeIntervalSinceReferenceDate: 0.125), views: 1, code: harness.code))
                try tx.insert(Post(title: "Bob", content: "two\nlines", views: 2))
                try tx.insert(Post(title: "Cyd", views: 3))
                try tx.insert(Attachment(name: "first", post: ada.id))
                try tx.insert(Attachment(name: "second", post: ada.id))
            }
            try await store.close()
            try await body(harness)
        }
    }

    private var code: UUID? { UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") }

    /// The store, with the sample's types.
    func open(_ path: String? = nil) async throws -> Store {
        try await Store.open(.directory(path ?? store), Post.self, Attachment.self, ImageData.self)
    }

    @discardableResult
    func run(_ arguments: String..., isTerminal: Bool = false) async -> Outcome {
        let fake = FakeTerminal(isTerminal: isTerminal)
        let code = await CommandTable.strandline.run(arguments, fake.terminal)
        return Outcome(code: code, output: fake.output.text, talk: fake.talk.text, bytes: fake.output.bytes)
    }

    /// Runs a command that must succeed; its output without the last line break.
    func output(_ arguments: String...) async throws -> String { try await output(of: arguments) }

    func output(of arguments: [String]) async throws -> String {
        let fake = FakeTerminal()
        let code = await CommandTable.strandline.run(arguments, fake.terminal)
        try #require(code == .done, "\(arguments): \(fake.talk.text)")
        return fake.output.text.hasSuffix("\n") ? String(fake.output.text.dropLast()) : fake.output.text
    }

    /// The URI of the post with a title.
    func post(_ title: String) async throws -> String {
        try await output("fetch", store, "Post", "--where", "title == '\(title)'", "--ids")
    }

    /// Runs a command that must be refused with an exit code and a sentence, and change nothing.
    func refuses(
        _ arguments: String..., code: ExitCode, saying sentence: String, location: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await state()
        let fake = FakeTerminal()
        let found = await CommandTable.strandline.run(arguments, fake.terminal)
        #expect(found == code, "\(fake.talk.text)", sourceLocation: location)
        #expect(fake.talk.text.contains(sentence), "\(fake.talk.text)", sourceLocation: location)
        #expect(fake.output.text == "", sourceLocation: location)
        #expect(try await state() == before, "the store was changed", sourceLocation: location)
    }

    private func state() async throws -> [String] {
        [try await output("token", store), try await output("digest", store)]
    }
}
