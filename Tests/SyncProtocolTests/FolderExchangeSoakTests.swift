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
