import Commands
import Foundation
import Storage
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What every command says of a path that is no store it can use.
@Suite("StoreAccess")
struct StoreAccessTests {
    static let commands = [
        ["fetch", "", "Post"], ["insert", "", "Post"], ["update", "", "Post", "--all", "--set", "views=1"],
        ["delete", "", "Post", "--all"], ["token", ""], ["digest", ""],
        ["get", "", "strandline://00000000000000000000000000000001/Post/1.0"],
    ]

    private func expect(_ path: String, _ sentence: String) async {
        for command in Self.commands {
            let fake = FakeTerminal()
            let arguments = command.map { $0 == "" ? path : $0 }
            #expect(await CommandTable.strandline.run(arguments, fake.terminal) == .failed)
            #expect(fake.talk.text.contains(sentence), "\(fake.talk.text)")
            #expect(fake.talk.text.split(separator: "\n").count == 1)
            #expect(fake.output.text == "")
        }
    }

    /// The file with the next major version, and a checksum to match.
    private static func raisingVersion(_ bytes: [UInt8]) -> Data {
        var raised = ByteWriter()
        raised.raw(Array(bytes[..<8]) + [bytes[8] + 1] + Array(bytes[9..<(bytes.count - 16)]))
        raised.digest(Checksum.xxh3Wide(raised.bytes.span))
        return Data(raised.bytes)
    }

    @Test("a missing store is named, and not made")
    func missing() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            await expect(harness.store, "there is no store; create it first (\(harness.store))")
            #expect(!FileManager.default.fileExists(atPath: harness.store))
        }
    }

    @Test("a file, or a directory with something else, is no store")
    func something() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let file = harness.directory + "/file"
            try Data("text".utf8).write(to: URL(filePath: file))
            await expect(file, "this is a file, not a store")
            await expect(harness.directory, "is not a store")
            #expect(try FileManager.default.contentsOfDirectory(atPath: harness.directory) == ["file"])
        }
    }

    @Test("a symbolic link to a directory serves wherever a directory does: store, peer, folder, place of a backup")
    func links() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            for (name, target) in [("link", "store"), ("linkedFolder", "folder"), ("linkedPlace", "place")] {
                if target != "store" {
                    let path = harness.directory + "/" + target
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                }
                try FileManager.default.createSymbolicLink(
                    atPath: harness.directory + "/" + name, withDestinationPath: target)
            }
            let link = harness.directory + "/link"
            _ = try await harness.output("insert", link, "Post", "--set", "title=Dee")
            for command in [["token"], ["digest"], ["info"], ["verify"], ["fetch", "Post"]] {
                func run(_ path: String) async -> String {
                    let fake = FakeTerminal()
                    let code = await CommandTable.strandline.run([command[0], path] + command.dropFirst(), fake.terminal)
                    #expect(code == .done, "\(fake.talk.text)")
                    return fake.output.text
                }
                #expect(await run(link) == (await run(harness.store)))
            }
            _ = try await harness.output("backup", link, harness.directory + "/linkedPlace/copy")
            _ = try await harness.output("insert", harness.directory + "/place/copy", "Post", "--set", "title=Eve")
            _ = try await harness.output("sync", link, "folder:" + harness.directory + "/linkedFolder")
            _ = try await harness.output("sync", harness.directory + "/linkedPlace/copy", link)
            #expect(try await harness.output("fetch", link, "Post", "--count") == "5")
            #expect(try FileManager.default.contentsOfDirectory(atPath: harness.directory + "/folder").count == 1)
            _ = try await harness.output("create", harness.directory + "/linkedPlace/new")
        }
    }

    @Test("a command says on standard error that the projection was damaged, and answers all the same")
    func damagedRuns() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let id = try await harness.post("Ada")
            _ = try await harness.output("compact", harness.store)
            func cutRun() throws {
                let name = try #require(
                    try FileManager.default.contentsOfDirectory(atPath: harness.store + "/runs").first { $0.hasSuffix(".run") })
                let run = URL(filePath: harness.store + "/runs/" + name)
                let whole = try Data(contentsOf: run)
                try whole.prefix(whole.count / 2).write(to: run)
            }
            let note = "note: the projection was damaged and was made anew from the log"
            let reading = [
                ["fetch", "Post"], ["get", id], ["history"], ["digest"], ["token"], ["info"], ["schema"], ["conflicts"],
                ["export", "Post", "-"],
            ]
            for command in reading {
                let arguments = [command[0], harness.store] + command.dropFirst()
                let expected = FakeTerminal()
                #expect(await CommandTable.strandline.run(arguments, expected.terminal) == .done)
                #expect(!expected.talk.text.contains("note:"), "\(command): \(expected.talk.text)")
                try cutRun()
                let found = FakeTerminal()
                #expect(await CommandTable.strandline.run(arguments, found.terminal) == .done)
                #expect(found.talk.text.contains(note), "\(command): \(found.talk.text)")
                #expect(found.output.text == expected.output.text, "\(command)")
            }
            // Whoever met it put it right, so that nobody after it has anything to say.
            try cutRun()
            let mended = await harness.run("compact", harness.store)
            #expect(mended.code == .done && mended.talk.contains(note), "\(mended.talk)")
            let after = await harness.run("fetch", harness.store, "Post", "--count")
            #expect(after.output == "3\n" && after.talk == "", "\(after.talk)")
        }
    }

    @Test("a pipe in place of a file of the store keeps nobody waiting")
    func pipes() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let files = FileManager.default
            let count = try await harness.output("fetch", harness.store, "Post", "--count")
            let names = try #require(files.enumerator(atPath: harness.store)).compactMap { $0 as? String }
                .filter {
                    (try? files.attributesOfItem(atPath: harness.store + "/" + $0)[.type]) as? FileAttributeType == .typeRegular
                }
            #expect(names.count >= 7)
            for name in names where !name.hasPrefix("logs/") {
                let path = harness.store + "/" + name
                try files.moveItem(atPath: path, toPath: harness.directory + "/aside")
                try #require(unsafe mkfifo(path, 0o600) == 0)
                for arguments in [["verify", harness.store]] + Self.commands.map({ $0.map { $0 == "" ? harness.store : $0 } }) {
                    let fake = FakeTerminal()
                    let code = await CommandTable.strandline.run(arguments, fake.terminal)
                    #expect(
                        code == .done || fake.talk.text.contains(name) || arguments[0] == "verify" || arguments[0] == "get",
                        "\(name): \(fake.talk.text)")
                }
                try files.removeItem(atPath: path)
                try files.moveItem(atPath: harness.directory + "/aside", toPath: path)
            }
            #expect(try await harness.output("fetch", harness.store, "Post", "--count") == count)
            // Where records cannot be written, everything else goes on.
            let records = try #require(names.first { $0.hasPrefix("logs/") })
            try files.removeItem(atPath: harness.store + "/" + records)
            try #require(unsafe mkfifo(harness.store + "/" + records, 0o600) == 0)
            _ = try await harness.output("insert", harness.store, "Post", "--set", "title=Dee")
            #expect(try files.contentsOfDirectory(atPath: harness.store + "/logs").count == 2)
        }
    }

    @Test("a store of a newer version is left alone")
    func newer() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let path = URL(filePath: harness.store + "/IDENTITY")
            let bytes = try Data(contentsOf: path)
            let newer = Self.raisingVersion([UInt8](bytes))
            try newer.write(to: path)
            await expect(harness.store, "version")
            #expect(try Data(contentsOf: path) == newer)
            try bytes.write(to: path)
            #expect(try await harness.output("fetch", harness.store, "Post", "--count") == "3")
        }
    }
}
