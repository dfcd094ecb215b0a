import Commands
import Foundation
import Interchange
import Strandline
import Testing

/// A property of each type that the sample's entities lack.
private struct Gauge: Entity {
    var id = ID()
    var isOpen = false
    var level = 0.0
    var note: String?
    var bytes = Data()
    var visits = Counter()

    static let schema = Schema<Self>("Gauge") {
        Field("isOpen", \.isOpen)
        Field("level", \.level)
        Field("note", \.note)
        Field("bytes", \.bytes)
        Field("visits", \.visits)
    }
}

private struct Note: Entity {
    var id = ID()
    var name = ""
    var tags = Many<Tag>()

    static let schema = Schema<Self>("Note") {
        Field("name", \.name)
        Field("tags", \.tags, inverse: \.notes)
    }
}

private struct Tag: Entity {
    var id = ID()
    var name = ""
    var notes = Many<Note>()

    static let schema = Schema<Self>("Tag") {
        Field("name", \.name)
        Field("notes", \.notes)
    }
}

@Suite("AssignmentList")
struct AssignmentListTests {
    private func withGauges(_ body: (CommandHarness) async throws -> Void) async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            try await Store.open(.directory(harness.store), Gauge.self).close()
            try await body(harness)
        }
    }

    private func gauge(_ harness: CommandHarness, _ set: String...) async throws -> JSONValue {
        let fake = FakeTerminal()
        let arguments = ["insert", harness.store, "Gauge"] + set.flatMap { ["--set", $0] }
        try #require(await CommandTable.strandline.run(arguments, fake.terminal) == .done, "\(fake.talk.text)")
        return try await harness.run("get", harness.store, String(fake.output.text.dropLast()), "--json").json()
    }

    @Test("reads booleans, numbers, data and counters")
    func values() async throws {
        try await withGauges { (harness: CommandHarness) async throws in
            let file = harness.directory + "/bytes"
            try Data([0, 255]).write(to: URL(filePath: file))
            let first = try await gauge(harness, "isOpen=true", "level=-1e-3", "bytes=AP8=", "visits=5", "note=")
            #expect(first["isOpen"] == .bool(true))
            #expect(first["level"] == .number(-0.001))
            #expect(first["bytes"] == .string("AP8="))
            #expect(first["visits"] == .integer(5))
            #expect(first["note"] == .string(""))
            let second = try await gauge(harness, "isOpen=no", "level=3", "bytes=@" + file)
            #expect(second["isOpen"] == .bool(false))
            #expect(second["level"] == .number(3))
            #expect(second["bytes"] == .string("AP8="))
            #expect(second["note"] == .null)
            _ = try await harness.output("update", harness.store, "Gauge", "--all", "--null", "note", "--set", "visits=7")
            #expect(
                try await harness.output("fetch", harness.store, "Gauge", "--where", "note == nil AND visits == 7", "--count")
                    == "2")
        }
    }

    @Test("refuses what is none, and a null where there must be a value")
    func refusals() async throws {
        try await withGauges { (harness: CommandHarness) async throws in
            for (set, sentence) in [
                ("isOpen=maybe", "Gauge.isOpen needs true or false, not 'maybe'"), ("level=x", "Gauge.level needs a number"),
                ("bytes=?", "Gauge.bytes needs base64 or @FILE"),
                ("bytes=@/nonexistent/strandline", "/nonexistent/strandline cannot be read"),
                ("visits=1.5", "Gauge.visits needs a whole number"), ("level=null", "Gauge.level is not optional"),
                ("bytes=@/dev/zero", "Gauge.bytes: /dev/zero is no regular file"),
                ("bytes=@" + harness.directory, "\(harness.directory) is no regular file"),
            ] {
                try await harness.refuses("insert", harness.store, "Gauge", "--set", set, code: .failed, saying: sentence)
            }
            try await harness.refuses(
                "insert", harness.store, "Gauge", "--null", "level", code: .failed, saying: "not optional")
            let file = harness.directory + "/large"
            try Data(count: 1 << 20 + 1).write(to: URL(filePath: file))
            try await harness.refuses(
                "insert", harness.store, "Gauge", "--set", "bytes=@" + file, code: .failed, saying: "keep more in a blob")
        }
    }

    @Test("a blob is a file that ends, also behind a link")
    func blobs() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let (file, link) = (harness.directory + "/file", harness.directory + "/link")
            try Data([1, 2, 3]).write(to: URL(filePath: file))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
            let uri = try await harness.output("insert", harness.store, "ImageData", "--set", "data=@" + link)
            #expect(
                try await harness.run("get", harness.store, uri, "--json").json()["data"]?["length"] == .integer(3))
            for path in ["/dev/zero", "/dev/null", harness.directory] {
                try await harness.refuses(
                    "insert", harness.store, "ImageData", "--set", "data=@" + path, code: .failed,
                    saying: "ImageData.data: \(path) is no regular file")
            }
        }
    }

    @Test("+URI and -URI put objects into many-to-many relationships, from either end")
    func edges() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let store = harness.store
            try await Store.open(.directory(store), Note.self, Tag.self).close()
            var tags: [String] = []
            for name in ["a", "b"] { tags.append(try await harness.output("insert", store, "Tag", "--set", "name=" + name)) }
            let note = try await harness.output(
                "insert", store, "Note", "--set", "name=x", "--set", "tags=+" + tags[0], "--set", "tags=+" + tags[1])
            func seen() async throws -> JSONValue? { try await harness.run("get", store, note, "--json").json()["tags"] }
            #expect(try await seen() == .array(tags.map { .string($0) }))
            let change = [
                "tags=-" + tags[0], "1 updated, 0 unchanged", "tags=-" + tags[0], "0 updated, 1 unchanged",
                "tags=+" + tags[0], "1 updated, 0 unchanged",
            ]
            for step in stride(from: 0, to: change.count, by: 2) {
                #expect(
                    try await harness.output("update", store, "Note", "--all", "--set", change[step]) == change[step + 1])
            }
            // From the other end, beside a value.
            #expect(
                try await harness.output(
                    "update", store, "Tag", "--where", "name == 'b'", "--set", "notes=-" + note, "--set", "name=c")
                    == "1 updated, 0 unchanged")
            #expect(try await seen() == .array([.string(tags[0])]))
            for (set, sentence) in [
                ("tags=" + tags[0], "Note.tags holds many objects: put one in with +URI"), ("tags=+x", "is neither"),
                ("tags=null", "is neither"), ("tags=+" + note, "refers to objects of Tag, not of Note"),
                ("tags=+" + tags[0] + "9", "there is no object"),
            ] {
                try await harness.refuses("update", store, "Note", "--all", "--set", set, code: .failed, saying: sentence)
            }
            try await harness.refuses(
                "update", store, "Note", "--all", "--null", "tags", code: .failed, saying: "take each out with -URI")
            try await harness.refuses(
                "update", store, "Note", "--all", "--set", "tags=+" + tags[0], "--set", "tags=-" + tags[0], code: .usage,
                saying: "twice")
        }
    }
}
