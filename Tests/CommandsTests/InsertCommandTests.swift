import Commands
import Foundation
import Interchange
import Testing

@Suite("InsertCommand")
struct InsertCommandTests {
    @Test("inserts values of every type, and prints the URI")
    func values() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let uri = try await harness.output(
                "insert", harness.store, "Post", "--set", "title=a=b", "--set", "views=-7", "--set",
                "createdAt=2026-11-30T08:30:00.125Z", "--set", "code=00000000-0000-0000-0000-00000000000A", "--set",
                "content=null")
            let post = try await harness.run("get", harness.store, uri, "--json").json()
            #expect(post["title"] == .string("a=b"))
            #expect(post["views"] == .integer(-7))
            #expect(post["createdAt"] == .string("2026-11-30T08:30:00.125Z"))
            #expect(post["code"] == .string("00000000-0000-0000-0000-00000000000A"))
            #expect(post["content"] == .string("null"))
            let image = harness.directory + "/image"
            try Data([1, 2, 3]).write(to: URL(filePath: image))
            let attachment = try await harness.run("insert", harness.store, "Attachment", "--set", "post=" + uri, "--json")
                .json()
            #expect(attachment["inserted"] == .integer(1))
            guard case .string(let owner)? = attachment["_id"] else { return #expect(Bool(false), "no URI") }
            let data = try await harness.output(
                "insert", harness.store, "ImageData", "--set", "data=@" + image, "--set", "attachment=" + owner)
            #expect(try await harness.run("get", harness.store, owner, "--json").json()["imageData"] == .string(data))
            let shown = try await harness.run("get", harness.store, data, "--json").json()
            #expect(shown["data"]?["length"] == .integer(3))
            #expect(
                try await harness.run("get", harness.store, uri, "--json").json()["attachments"]
                    == .array([attachment["_id"] ?? .null]))
        }
    }

    @Test("what does not fit the schema is refused, and nothing is changed")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let ada = try await harness.post("Ada")
            func refuse(_ set: String, _ sentence: String, entity: String = "Post", code: ExitCode = .failed) async throws {
                try await harness.refuses("insert", harness.store, entity, "--set", set, code: code, saying: sentence)
            }
            try await refuse("titel=x", "Post has no property titel; did you mean title?")
            try await refuse("views=1.5", "Post.views needs a whole number of 64 bits, not '1.5'")
            try await refuse("views=9223372036854775808", "Post.views needs a whole number of 64 bits")
            try await refuse("views=null", "Post.views is not optional")
            try await refuse("createdAt=yesterday", "Post.createdAt needs a date such as")
            try await refuse("code=12", "Post.code needs a UUID")
            try await refuse(
                "code=E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
                "a new Post cannot have code = CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\"): \(ada) has it")
            try await refuse("attachments=x", "is kept at the other end; set Attachment.post instead")
            try await refuse("title", "--set needs PROPERTY=VALUE, not 'title'", code: .usage)
            try await refuse("post=x", "Attachment.post needs an object's URI", entity: "Attachment")
            try await refuse(
                "imageData=" + ada, "is kept at the other end; set ImageData.attachment instead", entity: "Attachment")
            try await refuse("attachment=" + ada, "refers to objects of Attachment, not of Post", entity: "ImageData")
            try await refuse("post=" + ada + "9", "there is no object", entity: "Attachment")
            try await refuse("data=abc", "is a blob: name the file", entity: "ImageData")
            try await refuse("data=@/nonexistent/strandline", "/nonexistent/strandline", entity: "ImageData")
            try await refuse("x=1", "the store has no entity Nothing", entity: "Nothing")
            try await harness.refuses(
                "insert", harness.store, "Post", "--set", "title=a", "--null", "title", code: .usage,
                saying: "title is set twice")
        }
    }
}

extension InsertCommandTests {
    @Test("an object cannot be without its key, and a key that is taken says by whom")
    func keys() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let file = harness.directory + "/rows"
            try Data("{\"id\":\"a\",\"mag\":1}\n{\"id\":\"b\",\"mag\":2}\n".utf8).write(to: URL(filePath: file))
            _ = try await harness.output("create", harness.store)
            _ = try await harness.output("import", harness.store, file, "--entity", "Quake", "--key", "id")
            try await harness.refuses(
                "insert", harness.store, "Quake", "--set", "mag=3", code: .failed,
                saying: "Quake.id is part of the unique key and not optional, so it cannot be left out; give it a value")
            try await harness.refuses(
                "update", harness.store, "Quake", "--all", "--null", "id", code: .failed, saying: "Quake.id is not optional")
            let (a, b) = (
                try await harness.output("fetch", harness.store, "Quake", "--where", "id = 'a'", "--ids"),
                try await harness.output("fetch", harness.store, "Quake", "--where", "id = 'b'", "--ids")
            )
            try await harness.refuses(
                "update", harness.store, "Quake", "--where", "id = 'a'", "--set", "id=b", code: .failed,
                saying: "\(a) cannot have id = \"b\": \(b) has it")
            #expect(try await harness.output("get", harness.store, a).contains("mag"))
        }
    }
}
