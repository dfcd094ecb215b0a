import Testing
import Transports

@Suite("TransportError")
struct TransportErrorTests {
    @Test("what may pass by itself can be tried again")
    func retryable() {
        let codes: [TransportError.Code: Bool] = [
            .unreachable: true, .refused: true, .closed: true, .timedOut: true, .notPermitted: false, .untrusted: false,
            .badAddress: false, .badPeer: false, .failed: false,
        ]
        for (code, isRetryable) in codes {
            #expect(TransportError(code, address: "a", "b").isRetryable == isRetryable)
            #expect(TransportError(code, address: "a", "b", isRetryable: !isRetryable).isRetryable == !isRetryable)
        }
        #expect(TransportError(.failed, address: "unix:/a", "it failed").description == "it failed")
    }
}
