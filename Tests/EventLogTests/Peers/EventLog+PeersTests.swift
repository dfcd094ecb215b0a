import EventLog
import Simulation
import Storage
import Testing

@Suite struct EventLogPeersTests {
    private func id(_ number: UInt64) -> ReplicaID { ReplicaID(Digest128(high: number, low: 0)) }

    private func vector(_ entries: (UInt64, UInt64)...) -> VersionVector {
        VersionVector(
            entries.map {
                VersionVector.Entry(origin: id($0.0), sequence: $0.1, chain: Digest128(high: $0.0, low: $0.1))
            })
    }

    @Test func acknowledgementsAreKeptAndGrow() throws {
        let clock = SimulatedClock()
        let environment = Environment.simulated(seed: 1, clock: clock)
        var log = try EventLog.create(at: "/store", in: environment)
        #expect(try log.peers == [])
        try log.acknowledge(peer: id(9), name: "laptop", vector((1, 5), (2, 3)))
        clock.set(now: clock.now() + 1000)
        // Messages may overtake each other; what a peer has it does not lose.
        try log.acknowledge(peer: id(9), name: "laptop", vector((1, 4), (2, 7)))
        try log.acknowledge(consumer: "audit", log.token)
        try log.close()
        log = try EventLog.open(at: "/store", in: environment)
        let peers = try log.peers
        #expect(peers.map(\.key) == [id(9).description, "audit"])
        #expect(peers[0].acknowledged.vector == vector((1, 5), (2, 7)))
        #expect(peers[0].lastContact == clock.now())
        #expect(try log.forget("laptop"))
        #expect(try !log.forget("laptop"))
        #expect(try log.forget("audit"))
        #expect(try log.peers == [])
        try log.close()
        try LogVerifier.check("/store", in: environment)
    }

    @Test func thirtyDaysOfSilenceAreALapse() throws {
        let clock = SimulatedClock()
        let environment = Environment.simulated(seed: 1, clock: clock)
        let log = try EventLog.create(at: "/store", in: environment)
        try log.acknowledge(peer: id(1), name: "", vector((1, 1)))
        clock.set(now: clock.now() + PeerRecord.patienceMilliseconds)
        try log.acknowledge(consumer: "audit", log.token)
        #expect(try log.lapsedPeers == [])
        clock.set(now: clock.now() + 1)
        #expect(try log.lapsedPeers.map(\.key) == [id(1).description])
        clock.set(now: 5)
        #expect(try log.lapsedPeers == [])
        try log.close()
    }

    @Test func whatIsNoNameOrNoTokenIsRefused() throws {
        let environment = Environment.inMemory()
        let (log, other) = (
            try EventLog.create(at: "/store", in: environment), try EventLog.create(at: "/other", in: environment)
        )
        #expect(throws: LogError.self) { try log.acknowledge(consumer: "", log.token) }
        #expect(throws: LogError.self) { try log.acknowledge(consumer: String(repeating: "é", count: 128), log.token) }
        #expect(throws: LogError.self) { try log.acknowledge(consumer: "audit", other.token) }
        try log.acknowledge(peer: id(1), name: String(repeating: "é", count: 200), vector((1, 1)))
        #expect(try log.peers[0].name.utf8.count == 254)
        for each in [log, other] { try each.close() }
    }

    /// Two processes that note something at once: neither takes away what the other has noted.
    @Test func wholeOrNotAtAllWhateverFails() throws {
        let disk = SimulatedFileSystem()
        let log = try EventLog.create(at: "/store", in: .simulated(seed: 1, fileSystem: disk))
        try log.acknowledge(consumer: "first", log.token)
        try log.close()
        func note(_ disk: SimulatedFileSystem) throws {
            let log = try EventLog.open(at: "/store", in: .simulated(seed: 1, fileSystem: disk))
            try log.acknowledge(consumer: "second", log.token)
            try log.close()
        }
        func check(_ disk: SimulatedFileSystem) throws {
            let environment = Environment.simulated(seed: 1).rebooted(fileSystem: disk, seed: 4)
            let log = try EventLog.open(at: "/store", in: environment)
            let names = try log.peers.map(\.name)
            #expect(names == ["first"] || names == ["first", "second"])
            try log.acknowledge(consumer: "third", log.token)
            #expect(try log.peers.count == names.count + 1)
            try log.close()
        }
        try forEachPowerCut(from: disk, seeds: 1, limit: 6) {
            try note($0)
        } verify: { image, _ in
            try check(image)
        }
        try forEachFailure(from: disk) {
            try note($0)
        } verify: { disk, _ in
            try check(disk.crash(keeping: .none))
        }
    }
}
