import Commands
import Interchange
import Testing

@Suite("StatsCommand")
struct StatsCommandTests {
    @Test("runs, what is superseded, and what compaction makes of it")
    func stats() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            _ = try await harness.output("generate", harness.store, "churn", "--count", "3000")
            _ = try await harness.output("compact", harness.store)
            let json = try await harness.run("stats", harness.store, "--json").json()
            guard case .array(let runs)? = json["runs"] else { return #expect(Bool(false), "no runs") }
            #expect(runs.count == 1 && json["garbage"] == .number(0) && json["memoryBytes"] == .integer(0))
            let info = try await harness.run("info", harness.store, "--json").json()
            #expect(json["objects"] == info["objects"] && json["transactions"] == info["transactions"])
            let text = try await harness.output("stats", harness.store)
            #expect(
                text.contains("in 1 run, ") && text.contains("superseded    0 %") && text.contains("\nobjects       3 Post"))
        }
    }
}
