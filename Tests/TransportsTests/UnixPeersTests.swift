import Testing
import Transports

@Suite("UnixPeers")
struct UnixPeersTests {
    private func code(_ uid: UInt32, own: UInt32, allowing users: Set<UInt32> = []) -> TransportError.Code? {
        do {
            try UnixPeers(allowed: users).check(uid: uid, own: own, .user(uid: uid, process: 12), address: "unix:/s")
            return nil
        } catch {
            return error.code
        }
    }

    @Test("one's own user, root, and who is named")
    func users() {
        #expect(code(1_000, own: 1_000) == nil)
        #expect(code(0, own: 1_000) == nil)
        #expect(code(1_001, own: 1_000) == .notPermitted)
        #expect(code(1_001, own: 0) == .notPermitted)
        #expect(code(1_001, own: 1_000, allowing: [1_001]) == nil)
    }
}
