import Commands
import Foundation
import Interchange
import SampleModel
import Strandline
import Testing

@Suite("DiagnoseCommand")
struct DiagnoseCommandTests {
    private static let secret = "hunter2"

    private func contents(_ directory: String) throws -> [String: String] {
        var found: [String: String] = [:]
        let names = try #require(FileManager.default.enumerator(atPath: directory)).compactMap { $0 as? String }
        for name in names {
            guard let data = FileManager.default.contents(atPath: directory + "/" + name) else { continue }
            found[name] = String(decoding: data, as: UTF8.self)
        }
        return found
    }

    private func fill(_ harness: CommandHarness) async throws {
        let store = try await harness.open()
        try await store.write(author: Self.secret) { tx in
            let post = try tx.insert(Post(title: Self.secret, content: Self.secret))
            let attachment = try tx.insert(Attachment(name: Self.secret, post: post.id))
            let bytes = [UInt8](repeating: 7, count: 100_000)
            _ = try tx.insert(ImageData(data: Blob(bytes), attachment: attachment.id))
        }
        store.records.note(.peerRefused, .peer("exec:ssh -i \(Self.secret) host"))
        try await store.consumer(named: "nightly").acknowledge(store.token)
        try await store.close()
    }

    @Test("says all of a store but what is in it, and where it is")
    func bundle() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            try await fill(harness)
            let output = harness.directory + "/out"
            let summary = try await harness.run("diagnose", harness.store, output, "--json").json()
            #expect(summary["sound"] == .bool(true) && summary["failures"] == .object([]))
            let contents = try contents(output)
            #expect(
                Set(contents.keys.filter { !$0.hasPrefix("logs") })
                    == ["README.txt", "verify.json", "files.json", "info.json", "schema.json"])
            let all = contents.values.joined()
            #expect(!all.contains(Self.secret) && !all.contains(harness.directory))
            let blobs = try #require(FileManager.default.enumerator(atPath: harness.store + "/blobs")).compactMap {
                $0 as? String
            }
            let name = try #require(blobs.first { $0.utf8.count > 60 }).suffix(64)
            #expect(!all.contains(name))
            #expect(contents["info.json"]?.contains("nightly") ?? false)
            #expect(contents["schema.json"]?.contains("Attachment") ?? false)
            #expect(contents["files.json"]?.contains(#""generation":"#) ?? false, "\(contents["files.json"] ?? "")")
            let log = try await harness.output("log", output, "--where", "kind == 'peerRefused'")
            #expect(log.contains("peer exec:ssh …"), "\(log)")
        }
    }

    @Test("what is damaged is said, and the rest is there")
    func damaged() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            try await fill(harness)
            try Data("x".utf8).write(to: URL(filePath: harness.store + "/MANIFEST"))
            let output = harness.directory + "/out"
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: false)
            let outcome = await harness.run("diagnose", harness.store, output)
            #expect(outcome.code == .done && outcome.talk.contains("note: info.json:"), "\(outcome.talk)")
            let contents = try contents(output)
            #expect(contents["README.txt"]?.contains("Could not be had") ?? false)
            #expect(contents["info.json"]?.contains("error") ?? false)
            #expect(contents["verify.json"]?.contains("MANIFEST") ?? false)
            let all = contents.values.joined()
            #expect(!all.contains(Self.secret) && !all.contains(harness.directory))
            #expect(try await harness.output("log", output, "--level", "error").contains("opening the store failed"))
        }
    }

    @Test("a blob that is damaged is not named by its content")
    func damagedBlob() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            try await fill(harness)
            let blobs = try #require(FileManager.default.enumerator(atPath: harness.store + "/blobs")).compactMap {
                $0 as? String
            }
            let name = try #require(blobs.first { $0.utf8.count > 60 })
            try Data([UInt8](repeating: 8, count: 100_000)).write(to: URL(filePath: harness.store + "/blobs/" + name))
            let output = harness.directory + "/out"
            let summary = try await harness.run("diagnose", harness.store, output, "--json").json()
            #expect(summary["sound"] == .bool(false))
            let verify = try #require(try contents(output)["verify.json"])
            #expect(verify.contains(name.suffix(64).prefix(8) + "…") && !verify.contains(name.suffix(64)), "\(verify)")
        }
    }

    @Test("words of records stay as they are, whatever the store is called")
    func shortNames() async throws {
        let verbatim =
            #"{"time":"2020-01-01T00:00:00.000Z","category":"store","message":"opening the store ended: file log/a"}"#
        for root in ["store", "log", "a", "./store", "/s"] {
            let line = try #require(Redaction(root: root).line(Array(verbatim.utf8)))
            #expect(String(decoding: line, as: UTF8.self) == verbatim + "\n", "\(root)")
        }
        let redaction = Redaction(root: "/home/ada/store/")
        #expect(redaction.text("cannot read /home/ada/store/log/1.seg (/home/ada/store)") == "cannot read log/1.seg (STORE)")
        #expect(redaction.text("/home/ada/stores/1") == "/home/ada/stores/1")
        #expect(Redaction(root: "store").text("cannot read store/MANIFEST; restore/x") == "cannot read MANIFEST; restore/x")
    }

    @Test("overwrites nothing, and needs a store")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            try await harness.refuses("diagnose", harness.store, harness.store, code: .failed, saying: "something already")
            try await harness.refuses(
                "diagnose", harness.directory, harness.directory + "/out", code: .failed, saying: "no store")
            #expect(!FileManager.default.fileExists(atPath: harness.directory + "/out"))
            try await harness.refuses("diagnose", code: .usage, saying: "STORE is missing")
        }
    }
}
