import Commands
import Foundation
import Interchange
import SampleModel
import Strandline
import Testing

@Suite("ExportBlobCommand")
struct ExportBlobCommandTests {
    /// Small enough for the log, and larger than a piece.
    @Test("writes the bytes, to a file or to standard output", arguments: [0, 10, 3_000_001])
    func export(length: Int) async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
            let store = try await harness.open()
            let id = try await store.write { tx in try tx.insert(ImageData(data: Blob(content))).id.object }.value
            try await store.close()
            let uri = id.uri(entity: "ImageData")
            let file = harness.directory + "/out"
            let outcome = await harness.run("export-blob", harness.store, uri, "data", file)
            #expect(outcome.code == .done, "\(outcome.talk)")
            #expect(try [UInt8](Data(contentsOf: URL(filePath: file))) == content)
            #expect(await harness.run("export-blob", harness.store, uri, "data", "-").bytes == content)
            let blob = try await harness.run("get", harness.store, uri, "--json").json()["data"]
            #expect(blob?["length"] == .integer(Int64(length)))
        }
    }

    @Test("what is no blob, or cannot be written, is refused, and nothing is left behind")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let ada = try await harness.post("Ada")
            let file = harness.directory + "/out"
            try await harness.refuses(
                "export-blob", harness.store, ada, "title", file, code: .failed, saying: "Post.title holds string, not a blob")
            try await harness.refuses(
                "export-blob", harness.store, ada, "titel", file, code: .failed, saying: "did you mean title?")
            try await harness.refuses("export-blob", harness.store, ada, "title", code: .usage, saying: "FILE is missing")
            let image = try await harness.output("insert", harness.store, "ImageData")
            try await harness.refuses("export-blob", harness.store, image, "data", file, code: .failed, saying: "has no data")
            #expect(try FileManager.default.contentsOfDirectory(atPath: harness.directory) == ["store"])
        }
    }

    @Test("a blob whose file is gone is said to be missing")
    func missing() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let store = try await harness.open()
            let id = try await store.write { tx in
                try tx.insert(ImageData(data: Blob([UInt8](repeating: 7, count: 100_000)))).id.object
            }.value
            try await store.close()
            try FileManager.default.removeItem(atPath: harness.store + "/blobs")
            let uri = id.uri(entity: "ImageData")
            try await harness.refuses(
                "export-blob", harness.store, uri, "data", harness.directory + "/out", code: .failed,
                saying: "is not in this store")
            #expect(try FileManager.default.contentsOfDirectory(atPath: harness.directory) == ["store"])
        }
    }
}
