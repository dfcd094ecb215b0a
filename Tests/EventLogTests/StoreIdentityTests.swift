import EventLog
import Storage
import Testing

@Suite struct StoreIdentityTests {
    private func identity(former: ReplicaID?) -> StoreIdentity {
        let attributes = FileAttributes(fileSystem: 1, inode: 2, birth: 3, change: 4)
        let host = HostIdentity(machine: Digest128(high: 5, low: 6), boot: .zero)
        return StoreIdentity(
            dataset: DatasetID(Digest128(high: 1, low: 1)), log: Digest128(high: 2, low: 2),
            replica: ReplicaID(Digest128(high: 3, low: 3)), fingerprint: .init(lock: attributes, host: host), former: former)
    }

    @Test func survivesItsBytes() throws {
        for former in [nil, ReplicaID(Digest128(high: 9, low: 9))] {
            #expect(try StoreIdentity(identity(former: former).encode(), path: "i") == identity(former: former))
        }
    }

    @Test func damageIsFound() {
        let bytes = identity(former: nil).encode()
        for offset in bytes.indices {
            var damaged = bytes
            damaged[offset] ^= 1 << UInt8(offset % 8)
            #expect(throws: LogError.self) { try StoreIdentity(damaged, path: "i") }
            #expect(throws: LogError.self) { try StoreIdentity(Array(bytes.prefix(offset)), path: "i") }
        }
    }

    @Test func theFingerprintKnowsACopyFromARestart() {
        let attributes = FileAttributes(fileSystem: 1, inode: 2, birth: 3, change: 4, modification: 5, size: 6)
        let host = HostIdentity(machine: Digest128(high: 5, low: 6), boot: Digest128(high: 1, low: 0))
        var restarted = host
        restarted.boot = Digest128(high: 2, low: 0)
        var other = host
        other.machine = .zero
        let known = StoreIdentity.Fingerprint(lock: attributes, host: host)
        #expect(known == .init(lock: attributes, host: restarted))
        #expect(known != .init(lock: attributes, host: other))
        for change in [\FileAttributes.fileSystem, \.inode, \.birth, \.change] {
            var copy = attributes
            copy[keyPath: change] += 1
            #expect(known != .init(lock: copy, host: host))
        }
    }
}
