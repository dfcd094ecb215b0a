import Commands
import Strandline
import Testing

@Suite("ForgetCommand")
struct ForgetCommandTests {
    @Test("lets a consumer go, once")
    func forget() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let store = try await Store.open(.directory(harness.store))
            try await store.consumer(named: "audit").acknowledge(store.token)
            try await store.close()
            #expect(try await harness.output("forget", harness.store, "audit", "--json") == "{\"forgotten\":1}")
            #expect(try await !harness.output("info", harness.store).contains("audit"))
            try await harness.refuses(
                "forget", harness.store, "audit", code: .failed, saying: "no peer or consumer is called audit")
        }
    }
}
