import Commands
import Foundation
import Storage
import Testing

@Suite("OutputFile")
struct OutputFileTests {
    @Test("replaces a file whole, and leaves it as it was when discarded")
    func replacing() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let path = harness.directory + "/file"
            try Data("a longer old text".utf8).write(to: URL(filePath: path))
            var discarded = try OutputFile(path)
            try discarded.append(Array("new".utf8))
            discarded.discard()
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "a longer old text")
            var finished = try OutputFile(path)
            try finished.append(Array("ne".utf8))
            try finished.append(Array("w".utf8))
            try finished.finish()
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
            #expect(try FileManager.default.contentsOfDirectory(atPath: harness.directory) == ["file"])
        }
    }

    @Test("a directory or a link is refused")
    func refusals() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let link = harness.directory + "/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
            #expect(throws: StorageError.self) { _ = try OutputFile(link) }
            #expect(throws: StorageError.self) { _ = try OutputFile(harness.directory) }
            #expect(throws: StorageError.self) { _ = try OutputFile(harness.directory + "/missing/file") }
        }
    }
}
