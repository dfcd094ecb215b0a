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

/// Random replicas over two folders and directly, some of them copied bytewise or set back, with files lost, doubled and renamed.
@Suite struct FolderExchangeSoakTests {
    private static var seeds: UInt64 {
        #if DEBUG
        let usual: UInt64 = 3
        #else
        let usual: UInt64 = 40
        #endif
        return ProcessInfo.processInfo.environment["STRANDLINE_SEEDS"].flatMap { UInt64($0) } ?? usual
    }

    /// What was met; each must be more than zero.
    private struct Met {
        var forks = 0, relayed = 0, direct = 0, waiting = 0, lost = 0, copies = 0, setBack = 0, large = 0, blobs = 0
    }

    @Test func everybodyComesToHaveTheSame() throws {
        var met = Met()
        for seed in 1...Self.seeds {
            do {
                try run(seed, &met)
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        print("exchange soak, \(Self.seeds) seeds: \(met)")
        // A few seeds need not meet everything.
        guard Self.seeds >= 12 else { return }
        for (name, count) in Mirror(reflecting: met).children { #expect(count as? Int ?? 0 > 0, "no \(name ?? "")") }
    }

    private func run(_ seed: UInt64, _ met: inout Met) throws {
        let random = SeededRandom(seed: seed &* 7_919)
        func pick(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        let folders = [try TestReplica.sharedDisk(), try TestReplica.sharedDisk()]
        let first = try TestReplica(seed &* 100, over: folders[0])
        let dataset = first.log.dataset
        var replicas = [first]
        for number in 1..<4 {
            replicas.append(try TestReplica(seed &* 100 &+ UInt64(number), joining: dataset, over: folders[number / 2]))
        }
        // The second sees both folders.
        var outside = replicas[1].environment
        outside.fileSystem = folders[1]
        outside.random = SeededRandom(seed: seed)
        var relay = FolderExchange(TestReplica.folder, log: replicas[1].log, blobs: replicas[1].blobs, in: outside)

        for step in 0..<40 {
            let number = pick(replicas.count)
            let replica = replicas[number]
            switch pick(16) {
            case 0...4: try replica.write(rows: pick(3) + 1)
            case 5: try replica.write(blobs: [try replica.blob(seed &* 1000 &+ UInt64(step))])
            case 6...8: try note(try replica.sync(), &met)
            case 9: met.relayed += try note(try relay.sync(), &met).published.transactions
            case 10:
                let other = replicas[pick(replicas.count)]
                guard other !== replica else { continue }
                let report = try DirectExchange(replica.log, replica.blobs, with: other.log, other.blobs).sync()
                met.direct += try note(report, &met).published.transactions
            case 11, 14, 15:
                try disturb(folders[pick(2)], dataset, random, &met)
            case 12 where replicas.count < 6 && number != 1:
                // A copy of the disk goes on beside it.
                guard let disk = replica.environment.fileSystem as? SimulatedFileSystem else { continue }
                var copied = replica.environment
                copied.fileSystem = disk.clone(sameIdentity: true)
                (copied.fileSystem as? SimulatedFileSystem)?.killProcess()
                replicas.append(
                    try TestReplica(seed &* 100 &+ UInt64(50 + step), opening: copied, over: folders[pick(2)]))
                met.setBack += 1
            case 13:
                try replica.write(rows: 20, size: 60_000)
                met.large += 1
            default: break
            }
        }
        for _ in 0..<4 {
            for replica in replicas { try note(try replica.sync(), &met) }
            try note(try relay.sync(), &met)
        }
        for replica in replicas.dropFirst() {
            guard try replica.contents() == first.contents(), replica.names() == first.names() else {
                throw Difference(a: first.names(), b: replica.names())
            }
        }
        for replica in replicas {
            let report = try replica.sync()
            guard report.published.transactions == 0, report.imported.transactions == 0, report.waiting == 0 else {
                throw Difference(a: ["\(report)"], b: [])
            }
        }
        if first.log.durableState.branches.hasForks { met.forks += 1 }
    }

    /// What was met with trims; each must be more than zero.
    private struct Trimmed {
        var trims = 0, forced = 0, joined = 0, removed = 0, lost = 0, lapsed = 0
    }

    /// Replicas that let go of history at any time, some of it forced, while files get lost and some are away for months.
    @Test func trimmedReplicasComeToHaveTheSame() throws {
        var met = Trimmed()
        for seed in 1...Self.seeds * 2 {
            do {
                try runTrimmed(seed, &met)
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        print("exchange soak with trims, \(Self.seeds * 2) seeds: \(met)")
        guard Self.seeds >= 12 else { return }
        for (name, count) in Mirror(reflecting: met).children { #expect(count as? Int ?? 0 > 0, "no \(name ?? "")") }
    }

    private func runTrimmed(_ seed: UInt64, _ met: inout Trimmed) throws {
        let random = SeededRandom(seed: seed &* 104_729)
        func pick(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        let folder = try TestReplica.sharedDisk()
        let first = try TestReplica(seed &* 100, over: folder)
        let dataset = first.log.dataset
        var replicas = [first]
        var written = 0
        var elapsed: UInt64 = 0
        func pass(_ milliseconds: UInt64, for replica: TestReplica) {
            (replica.environment.clock as? SimulatedClock)?.advance(milliseconds: milliseconds)
        }
        for step in 0..<60 {
            let replica = replicas[pick(replicas.count)]
            switch pick(12) {
            case 0...3:
                try replica.write()
                written += 1
            case 4...7:
                let before = try folder.exchangeFiles(dataset).count
                met.joined += try replica.sync().imported.baselines
                if try folder.exchangeFiles(dataset).count < before { met.removed += 1 }
            case 8: try trim(replica, isForced: pick(4) == 0, &met)
            case 9 where replicas.count < 4:
                let new = try TestReplica(seed &* 100 &+ UInt64(step + 1), joining: dataset, over: folder)
                // Late, and with a clock that is right: what others wrote meanwhile is not ahead of it.
                pass(elapsed, for: new)
                replicas.append(new)
            case 10:
                // What tells of transactions, and no transactions: those may be nowhere else by now.
                let suffix = [".strdk", ".strdb", ".strdp"][pick(3)]
                let files = try folder.exchangeFiles(dataset, endingIn: suffix)
                guard !files.isEmpty else { continue }
                try folder.remove(files[pick(files.count)])
                met.lost += 1
            case 11 where pick(4) == 0:
                let long: UInt64 = 35 * 86_400_000
                elapsed += long
                for replica in replicas { pass(long, for: replica) }
                met.lapsed += 1
            default: break
            }
        }
        for _ in 0..<4 { for replica in replicas { met.joined += try replica.sync().imported.baselines } }
        let total = first.log.durableState.branches.vector(applied: false).reduce(0) { $0 + Int($1.position.sequence) }
        guard total == written else { throw Difference(a: ["\(written) written"], b: first.names()) }
        for replica in replicas {
            guard replica.names() == first.names() else { throw Difference(a: first.names(), b: replica.names()) }
            let report = try replica.sync()
            guard report.isQuiet else { throw Difference(a: ["\(report)"], b: []) }
        }
    }

    /// As a store trims: what all who live have acknowledged, unless forced.
    private func trim(_ replica: TestReplica, isForced: Bool, _ met: inout Trimmed) throws {
        let now = replica.environment.clock.now()
        var vectors = [replica.log.token.vector]
        if !isForced { vectors += try replica.log.peers.filter { !$0.hasLapsed(now: now) }.map(\.acknowledged.vector) }
        guard let point = try replica.log.trimPoint(before: vectors) else { return }
        var writer = try replica.log.makeBaseline()
        for body in try LogTrim.bodies(of: LogTrim.floor(of: point)) { try writer.append(body) }
        guard try replica.log.trim(to: point, writer) != nil else { return }
        met.trims += 1
        met.forced += isForced ? 1 : 0
    }

    private struct Difference: Error {
        var a: [String], b: [String]
    }

    @discardableResult
    private func note(_ report: ExchangeReport, _ met: inout Met) throws -> ExchangeReport {
        met.waiting += report.waiting
        met.blobs += report.imported.blobs
        return report
    }

    /// Loses, doubles or renames a file; nothing that cannot be had elsewhere is lost for good, since whoever misses it publishes it again.
    private func disturb(
        _ folder: SimulatedFileSystem, _ dataset: DatasetID, _ random: SeededRandom, _ met: inout Met
    ) throws {
        let files = try folder.exchangeFiles(dataset)
        guard !files.isEmpty else { return }
        let file = files[Int(random.next() % UInt64(files.count))]
        if random.next() % 3 > 0 {
            try folder.remove(file)
            met.lost += 1
        } else {
            try folder.put(try folder.contents(of: file), at: file + " (copy \(random.next() % 3)).strdx")
            met.copies += 1
        }
    }
}
