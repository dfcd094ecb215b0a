import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// Two open stores bring each other what they lack.
@Suite struct DirectExchangeTests {
    private func sync(_ a: TestReplica, _ b: TestReplica) throws -> ExchangeReport {
        try DirectExchange(a.log, a.blobs, with: b.log, b.blobs).sync()
    }

    @Test func bothWaysThenNothing() throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        let image = try a.blob(3)
        for _ in 0..<5 { try a.write(rows: 3) }
        try a.write(blobs: [image])
        for _ in 0..<4 { try b.write() }
        let first = try sync(a, b)
        #expect(first.imported.transactions == 4 && first.published.transactions == 6 && first.published.blobs == 1)
        #expect(try b.blobs.contains(image.id))
        #expect(try a.contents() == b.contents())
        #expect(try sync(a, b).isQuiet)
        // Large, small and large again, over a log that has moved on.
        try b.write(rows: 40, size: 60_000)
        try b.write()
        try b.write(rows: 30, size: 60_000)
        try a.write()
        let second = try sync(a, b)
        #expect(second.imported.transactions == 3 && second.published.transactions == 1)
        #expect(try a.contents() == b.contents() && a.names() == b.names())
        #expect(try sync(b, a).isQuiet)
        for replica in [a, b] { try replica.close() }
    }

    @Test func severalReplicasOverOne() throws {
        let disk = try TestReplica.sharedDisk()
        let hub = try TestReplica(1, over: disk)
        let others = try (2...4).map { try TestReplica($0, joining: hub.log.dataset, over: disk) }
        for seed in UInt64(1)...4 {
            let random = SeededRandom(seed: seed)
            for _ in 0..<12 {
                let one = others[Int(random.next() % 3)]
                if random.next() % 2 == 0 { try one.write() } else { _ = try sync(hub, one) }
            }
            for _ in 0..<2 { for one in others { _ = try sync(hub, one) } }
            for one in others { #expect(try one.contents() == hub.contents()) }
        }
    }

    @Test func anotherDatasetIsRefused() throws {
        let disk = try TestReplica.sharedDisk()
        let (a, b) = (try TestReplica(1, over: disk), try TestReplica(2, over: disk))
        try a.write()
        do {
            _ = try sync(a, b)
            Issue.record("two datasets were merged")
        } catch let error as SyncError {
            #expect(error.code == .wrongDataset && !error.isRetryable)
        }
        #expect(try b.contents().isEmpty)
    }

    @Test func aBlobThatIsMissingOrDamagedHoldsNothingUp() throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        let (whole, lost, broken) = (try a.blob(1), try a.blob(2), try a.blob(3))
        try a.write(blobs: [whole, lost, broken])
        try a.blobs.evict(lost.id, isPromised: false, force: true)
        let path = "/store/blobs/\(broken.id.description.prefix(2))/\(broken.id)"
        let file = try a.environment.fileSystem.open(path, .readWrite)
        try file.write([UInt8]("broken".utf8).span, at: 69_000)
        let report = try sync(a, b)
        #expect(report.published.transactions == 1 && report.published.blobs == 1)
        // The damaged one is told by its hashes, which do not make its name.
        #expect(report.elsewhere == 1)
        #expect(try b.blobs.contains(whole.id))
        #expect(try !b.blobs.contains(lost.id) && !b.blobs.contains(broken.id))
        #expect(try b.leftovers().isEmpty)
    }

    /// A store copied bytewise goes on in both places.
    @Test func aForkIsFoundWhereverItLies() throws {
        for (left, right) in [(1, 3), (4, 2), (5, 5), (1, 1)] {
            let disk = try TestReplica.sharedDisk()
            let a = try TestReplica(1, over: disk)
            for _ in 0..<9 { try a.write() }
            let (one, two) = try a.copied(7, over: disk)
            for _ in 0..<left { try one.write() }
            for _ in 0..<right { try two.write() }
            let third = try TestReplica(3, joining: a.log.dataset, over: disk)
            for replica in [one, two] { _ = try sync(third, replica) }
            let met = try sync(one, third)
            #expect(met.forks == 1 || met.published.transactions == 0)
            _ = try sync(two, third)
            _ = try sync(one, two)
            #expect(try one.contents() == two.contents())
            #expect(try one.contents().count == 9 + left + right)
            #expect(one.names() == two.names() && one.names().count == 2)
            _ = try sync(one, third)
            #expect(try third.contents() == one.contents())
            #expect(third.names() == one.names())
            #expect(try sync(one, two).isQuiet)
        }
    }
}
