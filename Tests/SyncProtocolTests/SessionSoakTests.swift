import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Random replicas that talk in pairs over wires that are cut, lose power, are copied bytewise, set back, and have wrong clocks.
@Suite struct SessionSoakTests {
    private static var seeds: UInt64 {
        #if DEBUG
        let usual: UInt64 = 3
        #else
        let usual: UInt64 = 60
        #endif
        return ProcessInfo.processInfo.environment["STRANDLINE_SEEDS"].flatMap { UInt64($0) } ?? usual
    }

    /// What was met; each must be more than zero.
    private struct Met {
        var forks = 0, relayed = 0, cuts = 0, complete = 0, resumedBlobs = 0, crashes = 0, copies = 0, setBack = 0, large = 0
        var holds = 0, blobs = 0, lost = 0, live = 0
    }

    @Test func everybodyComesToHaveTheSame() throws {
        var met = Met()
        for seed in 1...Self.seeds {
            do {
                var cluster = try Cluster(seed: seed, met)
                try cluster.run()
                met = cluster.met
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        print("session soak, \(Self.seeds) seeds: \(met)")
        // A few seeds need not meet everything.
        guard Self.seeds >= 40 else { return }
        for (name, count) in Mirror(reflecting: met).children { #expect(count as? Int ?? 0 > 0, "no \(name ?? "")") }
    }

    private struct Failure: Error {
        var what: String
    }

    /// A replica with what its blobs wait for, and an image of its disk to go back to.
    private final class Node {
        var replica: TestReplica
        var transfers: BlobTransfers
        let clock: SimulatedClock
        var backup: (disk: SimulatedFileSystem, held: Set<StoredPosition>)?

        init(_ replica: TestReplica, _ clock: SimulatedClock) {
            self.replica = replica
            self.clock = clock
            transfers = BlobTransfers(replica.blobs)
        }

        var disk: SimulatedFileSystem {
            get throws {
                guard let disk = replica.environment.fileSystem as? SimulatedFileSystem else { throw Failure(what: "no disk") }
                return disk
            }
        }

        func reopen(_ environment: Environment, seed: UInt64) throws {
            replica = try TestReplica(seed, opening: environment, over: InMemoryFileSystem())
            transfers = BlobTransfers(replica.blobs)
        }
    }

    private struct Cluster {
        var met: Met
        private let seed: UInt64
        private let random: SeededRandom
        private var nodes: [Node] = []
        /// Transactions that must be there in the end, and the blobs.
        private var promised: Set<StoredPosition> = []
        private var blobs: [BlobReference] = []
        private var connections = 0

        init(seed: UInt64, _ met: Met) throws {
            self.seed = seed
            self.met = met
            random = SeededRandom(seed: seed &* 7_919)
            for _ in 0..<4 {
                let (environment, clock) = machine()
                try EventLog.create(
                    at: TestReplica.path, in: environment, dataset: nodes.first?.replica.log.dataset, sizes: TestReplica.sizes
                ).close()
                nodes.append(Node(try TestReplica(next(), opening: environment, over: InMemoryFileSystem()), clock))
            }
        }

        private func pick(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        private func next() -> UInt64 { random.next() }

        private func machine() -> (Environment, SimulatedClock) {
            let clock = SimulatedClock()
            return (.simulated(seed: random.next(), clock: clock), clock)
        }

        mutating func run() throws {
            for step in 0..<60 { try act(step) }
            try settle()
        }

        private mutating func act(_ step: Int) throws {
            let node = nodes[pick(nodes.count)]
            node.clock.advance(milliseconds: UInt64(pick(5_000)))
            switch pick(20) {
            case 0...5: try write(node, rows: pick(4) + 1)
            case 6:
                let blob = try node.replica.blob(next(), size: 70_000 + pick(2_000_000))
                blobs.append(blob)
                try write(node, blobs: [blob])
            case 7:
                try write(node, rows: 20, size: 60_000)
                met.large += 1
            case 8: try crash(node)
            case 9 where nodes.count < 6: try copy(node)
            case 10: node.backup = (try node.disk.clone(sameIdentity: true), Set(try node.replica.contents()))
            case 11: try setBack(node)
            case 12: node.clock.set(now: node.clock.now() &+ UInt64(pick(86_400_000)) &- 43_200_000)
            default:
                let other = nodes[pick(nodes.count)]
                if other !== node { try meet(node, other, isCut: pick(2) == 0, isLive: pick(4) == 0) }
            }
        }

        private mutating func write(
            _ node: Node, rows: Int = 1, size: Int = 20, blobs: [BlobReference] = []
        ) throws { promised.insert(try node.replica.write(rows: rows, size: size, blobs: blobs)) }

        /// A power cut that keeps some of what was not synced.
        private mutating func crash(_ node: Node) throws {
            let image = try node.disk.crash(keeping: [.none, .all, .random(seed: next())][pick(3)])
            try node.reopen(node.replica.environment.rebooted(fileSystem: image, seed: next()), seed: next())
            met.crashes += 1
        }

        /// A copy of the disk goes on beside it, on a machine that cannot tell.
        private mutating func copy(_ node: Node) throws {
            let (_, clock) = machine()
            var copied = node.replica.environment
            copied.clock = clock
            copied.random = SeededRandom(seed: next())
            let disk = try node.disk.clone(sameIdentity: true)
            disk.killProcess()
            copied.fileSystem = disk
            nodes.append(Node(try TestReplica(next(), opening: copied, over: InMemoryFileSystem()), clock))
            met.copies += 1
        }

        /// The machine goes back to an old state; what only it had since then is lost, and nothing else.
        private mutating func setBack(_ node: Node) throws {
            guard let backup = node.backup else { return }
            var elsewhere: Set<StoredPosition> = backup.held
            for other in nodes where other !== node { elsewhere.formUnion(try other.replica.contents()) }
            met.lost += promised.subtracting(elsewhere).count
            promised.formIntersection(elsewhere)
            var environment = node.replica.environment
            backup.disk.killProcess()
            environment.fileSystem = backup.disk
            environment.random = SeededRandom(seed: next())
            node.backup = nil
            try node.reopen(environment, seed: next())
            met.setBack += 1
        }

        private mutating func meet(_ a: Node, _ b: Node, isCut: Bool, isLive: Bool = false) throws {
            connections += 1
            let number = connections
            func end(_ node: Node, _ nonce: UInt64) throws -> SimulatedConnection.End {
                // As a store does when it is opened: what was on its way before is wanted again.
                let log = node.replica.log
                node.transfers.want(try blobs.filter { try !node.replica.blobs.contains($0.id) })
                if !(try node.disk.list("/store").contains("arriving") ? try node.disk.list("/store/arriving") : []).isEmpty {
                    met.resumedBlobs += 1
                }
                var configuration = SessionConfiguration(
                    dataset: log.dataset, replica: log.replica, name: "", isLive: isLive, blobs: .eager, nonce: nonce,
                    wallClock: node.clock.now())
                configuration.window = 1 << 20
                return SimulatedConnection.End(
                    log, node.replica.blobs, node.transfers.exchange(with: number), configuration, now: 0)
            }
            var connection = SimulatedConnection(try end(a, 1), try end(b, 2), seed: next(), largestPiece: 200_000)
            try connection.run(until: isCut ? pick(3_000_000) : .max)
            if isLive, !connection.isOver {
                for _ in 0..<2 {
                    try write(a)
                    try write(b)
                    try connection.tick(10)
                    try connection.run(until: isCut ? pick(3_000_000) : .max)
                }
                met.live += 1
            }
            let progress = connection.ends.map(\.link.session.progress)
            if !connection.isOver {
                try connection.cut()
                met.cuts += 1
            }
            for end in connection.ends {
                if case .refused(let refusal) = end.link.session.end { throw Failure(what: "\(refusal)") }
                if end.link.session.end == .complete { met.complete += 1 }
            }
            met.relayed += progress.reduce(0) { $0 + $1.transactionsSent }
            met.holds += progress.reduce(0) { $0 + $1.received.held }
            met.blobs += progress.reduce(0) { $0 + $1.blobsReceived }
        }

        /// All clocks come to be right, and all meet.
        private mutating func settle() throws {
            let latest = nodes.map { $0.clock.now() }.max() ?? 0
            for node in nodes { node.clock.set(now: latest + 90_000_000) }
            for _ in 0..<3 {
                for index in nodes.indices.dropFirst() { try meet(nodes[0], nodes[index], isCut: false) }
            }
            for node in nodes { try node.replica.log.liftHolds() }
            let first = nodes[0].replica
            let contents = try first.contents()
            guard promised.isSubset(of: contents) else { throw Failure(what: "lost \(promised.subtracting(contents))") }
            for node in nodes.dropFirst() {
                guard try node.replica.contents() == contents else { throw Failure(what: "contents differ") }
                guard node.replica.names() == first.names() else { throw Failure(what: "names differ") }
            }
            for blob in blobs where try nodes.contains(where: { try $0.replica.blobs.contains(blob.id) }) {
                for node in nodes {
                    let reader = try node.replica.blobs.open(blob.id)
                    try reader.verify()
                    reader.close()
                }
            }
            if first.log.durableState.branches.hasForks { met.forks += 1 }
        }
    }
}
