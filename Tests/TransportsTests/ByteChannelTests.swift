import Testing
import TransportContract

@Suite("ByteChannel")
struct ByteChannelTests {
    @Test("every transport keeps the contract", arguments: TransportAdapters.all, TransportRule.allCases)
    func contract(_ adapter: ContractAdapter, _ rule: TransportRule) async throws { try await rule.check(adapter) }
}
