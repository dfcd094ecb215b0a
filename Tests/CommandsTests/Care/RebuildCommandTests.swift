import Commands
import Foundation
import Interchange
import Testing

@Suite("RebuildCommand")
struct RebuildCommandTests {
    private func runs(_ harness: CommandHarness) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: harness.store + "/runs").filter { $0.hasSuffix(".run") }.sorted()
    }

    @Test("makes the runs anew, and the state is the same")
    func anew() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let digest = try await harness.output("digest", harness.store)
            let token = try await harness.output("token", harness.store)
            let json = try await harness.run("rebuild", harness.store, "--json").json()
            #expect(json["digest"] == .string(digest) && json["runs"] == .integer(1))
            let first = try runs(harness)
            #expect(first.count == 1)
            #expect(try await harness.output("rebuild", harness.store).hasPrefix("1 run of "))
            let second = try runs(harness)
            #expect(second.count == 1 && second != first)
            // Damaged or removed, they are read no more.
            let file = URL(filePath: harness.store + "/runs/" + second[0])
            try Data(repeating: 7, count: 100).write(to: file)
            #expect(try await harness.output("rebuild", harness.store).hasSuffix("state digest \(digest)"))
            try FileManager.default.removeItem(atPath: harness.store + "/runs")
            #expect(try await harness.output("rebuild", harness.store).hasSuffix("state digest \(digest)"))
            #expect(try runs(harness).count == 1)
            #expect(try await harness.output("token", harness.store) == token)
            #expect(await harness.run("verify", harness.store).code == .done)
        }
    }

    @Test("a missing store is refused, and none is made")
    func missing() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let outcome = await harness.run("rebuild", harness.store)
            #expect(outcome.code == .failed && outcome.talk.contains("there is no store"), "\(outcome.talk)")
            #expect(!FileManager.default.fileExists(atPath: harness.store))
        }
    }
}
