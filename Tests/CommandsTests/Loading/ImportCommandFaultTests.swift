import Commands
import Faults
import Foundation
import Testing

/// Importing onto a disk that is too small.
@Suite("ImportCommand on a full disk", .enabled(if: FailingDevice.obstacle == nil, "\(FailingDevice.obstacle ?? "")"))
struct ImportCommandFaultTests {
    /// Rows that do not compress, of about `bytes` in all.
    private func rows(_ range: Range<Int>, bytes: Int) -> String {
        var numbers = SystemRandomNumberGenerator()
        return range.map { number in
            let words = (0..<max(1, bytes / range.count / 16)).map { _ in String(numbers.next(), radix: 16) }
            return "{\"id\":\(number),\"text\":\"\(words.joined())\"}\n"
        }.joined()
    }

    @Test("one sentence, the store as it was, and all is well when there is room")
    func full() async throws {
        guard let program = ChildProcess.path(of: "strandline") else { return }
        let disk = try FailingDevice(size: 4 << 20)
        defer { #expect(throws: Never.self) { try disk.remove() } }
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let store = disk.path + "/store"
            func imports(_ text: String, batch: String) async throws -> (code: Int32, said: String) {
                let file = harness.directory + "/rows.ndjson"
                try Data(text.utf8).write(to: URL(filePath: file))
                let arguments = ["import", store, file, "--entity", "Row", "--key", "id", "--batch", batch]
                let process = try ChildProcess(program, arguments, in: harness.directory)
                let code = await process.wait()
                return (code, try process.said())
            }
            // Not the token: ids were given out, so that their sequence is recorded as void.
            func state() async throws -> [String] {
                [try await harness.output("digest", store), try await harness.output("fetch", store, "Row", "--count")]
            }
            _ = try await harness.output("create", store)
            #expect(try await imports(rows(0..<100, bytes: 10_000), batch: "100").code == 0)
            let before = try await state()
            // One transaction that is larger than the disk.
            let large = rows(100..<2100, bytes: 8 << 20)
            let refused = try await imports(large, batch: "2000")
            #expect(refused.code == 1)
            let isSentence = refused.said.hasPrefix("strandline import: ") && refused.said.contains("the disk is full")
            #expect(isSentence, "\(refused.said.prefix(2000))")
            #expect(refused.said.split(separator: "\n").count == 1, "\(refused.said)")
            #expect(try await state() == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: store + "/tmp").isEmpty)
            _ = try await harness.output("verify", store)
            // Somebody else takes every byte that is left.
            let ballast = disk.path + "/ballast"
            #expect(FileManager.default.createFile(atPath: ballast, contents: nil))
            let handle = try #require(FileHandle(forWritingAtPath: ballast))
            while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
            try handle.close()
            let again = try await imports(rows(100..<2100, bytes: 1 << 20), batch: "2000")
            #expect(again.code == 1 && again.said.split(separator: "\n").count == 1, "\(again.said.prefix(2000))")
            #expect(try await state() == before)
            try FileManager.default.removeItem(atPath: ballast)
            #expect(try await imports(rows(100..<2100, bytes: 1 << 20), batch: "2000").code == 0)
            #expect(try await harness.output("fetch", store, "Row", "--count") == "2100")
            _ = try await harness.output("verify", store)
        }
    }
}
