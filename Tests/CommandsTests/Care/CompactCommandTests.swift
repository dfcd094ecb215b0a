import Commands
import Foundation
import Interchange
import Testing

@Suite("CompactCommand")
struct CompactCommandTests {
    @Test("makes one run of what there is, and the state is the same")
    func one() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            _ = try await harness.output("rebuild", harness.store)
            _ = try await harness.output("update", harness.store, "Post", "--all", "--set", "views=7")
            _ = try await harness.output("delete", harness.store, "Post", "--where", "title == 'Ada'")
            let digest = try await harness.output("digest", harness.store)
            let first = try await harness.run("compact", harness.store, "--json").json()
            #expect(first["runs"] == .integer(1) && first["runsBefore"] == .integer(1), "\(first)")
            #expect(first["bytes"] != first["bytesBefore"], "nothing was merged")
            let runs = try FileManager.default.contentsOfDirectory(atPath: harness.store + "/runs")
            #expect(runs.filter { $0.hasSuffix(".run") }.count == 1)
            #expect(try await harness.output("compact", harness.store).hasPrefix("1 run of "))
            #expect(try await harness.output("digest", harness.store) == digest)
            #expect(try await harness.output("fetch", harness.store, "Post", "--where", "views == 7", "--count") == "2")
            #expect(await harness.run("verify", harness.store).code == .done)
        }
    }
}
