import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// What one replica finds in the folder of things that should not happen, and do.
@Suite struct FolderExchangeReceiveTests {
    /// A store with some history, closed, and a bytewise copy of it.
    private func copies(over shared: SimulatedFileSystem, published: Bool) throws -> (TestReplica, TestReplica) {
        let a = try TestReplica(1, over: shared)
        for _ in 0..<4 { try a.write() }
        if published { try a.sync() }
        return try a.copied(8, over: shared)
    }

    @Test(arguments: [false, true]) func copiesOfAStoreThatBothWriteConverge(published: Bool) throws {
        for (left, right) in [(1, 1), (3, 1), (2, 5)] {
            let shared = try TestReplica.sharedDisk()
            let (one, two) = try copies(over: shared, published: published)
            #expect(one.log.replica == two.log.replica)
            for _ in 0..<left { try one.write() }
            for _ in 0..<right { try two.write() }
            try one.sync()
            let met = try two.sync()
            #expect(met.forks == 1)
            #expect(two.log.replica != one.log.replica)
            try two.write()
            for _ in 0..<2 { for replica in [one, two] { try replica.sync() } }
            try one.write()
            let third = try TestReplica(3, joining: one.log.dataset, over: shared)
            for _ in 0..<2 { for replica in [one, two, third] { try replica.sync() } }
            for replica in [two, third] {
                #expect(try replica.contents() == one.contents())
                #expect(replica.names() == one.names())
            }
            #expect(try one.contents().count == 4 + left + right + 2)
            #expect(one.names().count >= 3)
            for replica in [one, two, third] { #expect(try replica.sync().isQuiet) }
        }
    }

    /// A machine set back to before it published takes another id before it writes or publishes anything.
    @Test func aStoreThatWasSetBackMeetsItsOwnFiles() throws {
        let shared = try TestReplica.sharedDisk()
        let (one, before) = try copies(over: shared, published: true)
        for _ in 0..<3 { try one.write() }
        try one.sync()
        try one.log.close()
        let former = before.log.replica
        let report = try before.sync()
        #expect(report.imported.transactions == 3 && report.forks == 0 && report.published.transactions == 0)
        #expect(before.log.replica != former)
        try before.write()
        try before.sync()
        #expect(try shared.exchangeFiles(before.log.dataset, of: before.log.replica).count == 1)
        #expect(!before.log.durableState.branches.hasForks)
    }

    @Test func blobsThatAreMissingOrDamagedHoldNothingUp() throws {
        let shared = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: shared)
        let (whole, lost, broken, short) = (try a.blob(1), try a.blob(2), try a.blob(3), try a.blob(4))
        let before = try a.write(blobs: [whole, lost])
        try a.write(blobs: [broken, short, whole])
        #expect(try a.sync().published.blobs == 4)
        func path(_ blob: BlobReference) -> String {
            "\(TestReplica.folder)/\(a.log.dataset)/blobs/\(blob.id.description.prefix(2))/\(blob.id)"
        }
        let kept = try shared.contents(of: path(lost))
        try shared.remove(path(lost))
        var bytes = try shared.contents(of: path(broken))
        bytes[1000] ^= 4
        try shared.put(bytes, at: path(broken))
        try shared.put(Array(try shared.contents(of: path(short)).dropLast()), at: path(short))

        let b = try TestReplica(2, joining: a.log.dataset, over: shared)
        let report = try b.sync()
        #expect(report.imported.transactions == 2 && report.imported.blobs == 1 && report.elsewhere == 3)
        #expect(report.skipped.count == 2 && report.skipped.contains { $0.path == path(broken) })
        #expect(try b.contents() == a.contents() && b.contents().contains(before))
        for blob in [lost, broken, short] { #expect(try !b.blobs.contains(blob.id)) }
        #expect(try b.leftovers().isEmpty)

        // It arrives later, and is asked for.
        try shared.put(kept, at: path(lost))
        let fetched = try b.exchange.fetch([lost, broken, whole])
        #expect(fetched.imported.blobs == 1 && fetched.elsewhere == 1)
        #expect(try b.blobs.contains(lost.id))

        // Another is mended, and looked for without being asked for; what is not is not reported again.
        bytes[1000] ^= 4
        try shared.put(bytes, at: path(broken))
        let again = try b.sync()
        #expect(again.imported.blobs == 1 && again.elsewhere == 0 && again.skipped.isEmpty)
        #expect(try b.blobs.contains(broken.id) && !b.blobs.contains(short.id))
        #expect(try b.sync().isQuiet)
    }

    /// A relay without the blobs publishes all the same; who has them completes it, once.
    @Test func whatWasPublishedWithoutItsBlobsIsCompleted() throws {
        let shared = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: shared)
        let image = try a.blob(1)
        for _ in 0..<2 { try a.write() }
        try a.write(blobs: [image])
        try a.write()
        let relay = try TestReplica(2, joining: a.log.dataset, over: shared)
        // As over a connection on which blobs are fetched on demand.
        _ = try DirectExchange(relay.log, relay.blobs, with: a.log, a.blobs, policy: .none).sync()
        let first = try relay.sync()
        #expect(first.published.transactions == 4 && first.published.files == 2 && first.published.blobs == 0)
        #expect(try relay.sync().isQuiet)
        let late = try TestReplica(3, joining: a.log.dataset, over: shared)
        #expect(try late.sync().elsewhere == 1)

        let completed = try a.sync()
        #expect(completed.published.blobs == 1 && completed.published.transactions == 2)
        #expect(try a.sync().isQuiet)
        #expect(try late.sync().imported.blobs == 1)
        let last = try TestReplica(4, joining: a.log.dataset, over: shared)
        let report = try last.sync()
        #expect(report.elsewhere == 0 && report.imported.blobs == 1 && report.imported.transactions == 4)
        #expect(try last.contents() == a.contents())
        for replica in [relay, late, last] { #expect(try replica.sync().isQuiet) }
    }

    @Test func transactionsFromTheFutureAreHeldAndPassedOn() throws {
        let shared = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: shared)
        (a.environment.clock as? SimulatedClock)?.advance(milliseconds: 600_000)
        for _ in 0..<2 { try a.write() }
        try a.sync()
        let b = try TestReplica(2, joining: a.log.dataset, over: shared)
        let report = try b.sync()
        #expect(report.imported.transactions == 2 && report.held == 2)
        #expect(try b.contents() == a.contents())
        #expect(try b.sync().isQuiet)
    }
}
