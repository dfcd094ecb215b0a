import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// Two logs that talk, over a wire in memory.
@Suite struct SessionTests {
    /// Nobody has blobs.
    private struct NoBlobs: BlobExchange {
        func want(_ blobs: [BlobReference]) {}
        func choose(_ count: Int) throws -> [BlobRange] { [] }
        func read(_ range: BlobRange) throws -> (messages: [Message], rest: BlobRange?) { ([.blobMissing(range.id)], nil) }
        func store(_ message: Message) throws -> [BlobID] { [] }
        func miss(_ id: BlobID) {}
        func meet(_ peer: ReplicaID) {}
        func keep(_ blobs: [BlobReference]) throws -> [BlobID] { [] }
        func note(_ news: BlobNews) {}
        func end() {}
    }

    private func connection(
        _ a: TestReplica, _ b: TestReplica, seed: UInt64, isLive: Bool = false, largestPiece: Int = 1 << 20
    ) -> SimulatedConnection {
        func end(_ replica: TestReplica, _ number: UInt64, isLive: Bool) -> SimulatedConnection.End {
            var configuration = SessionConfiguration(
                dataset: replica.log.dataset, replica: replica.log.replica, name: "replica \(number)", isLive: isLive,
                blobs: .none, nonce: number, wallClock: 0)
            configuration.window = 1 << 20
            return SimulatedConnection.End(replica.log, replica.blobs, NoBlobs(), configuration, now: 0)
        }
        return SimulatedConnection(
            end(a, 1, isLive: isLive), end(b, 2, isLive: isLive), seed: seed, largestPiece: largestPiece)
    }

    @Test func bothWaysThenNothing() throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        for _ in 0..<5 { try a.write(rows: 3) }
        for _ in 0..<4 { try b.write() }
        var first = connection(a, b, seed: 1)
        try first.run()
        #expect(first.ends.map(\.link.session.end) == [.complete, .complete])
        #expect(first.ends.map(\.link.session.progress.received.new) == [4, 5])
        #expect(try a.contents() == b.contents() && a.names() == b.names())
        var second = connection(a, b, seed: 2)
        try second.run()
        #expect(second.isOver && second.ends.allSatisfy { $0.link.session.progress.transactionsSent == 0 })
        // Large, small and large again, over logs that have moved on.
        try b.write(rows: 40, size: 60_000)
        try b.write()
        try b.write(rows: 30, size: 60_000)
        try a.write()
        var third = connection(a, b, seed: 3)
        try third.run()
        #expect(third.ends.map(\.link.session.progress.received.new) == [3, 1])
        #expect(try a.contents() == b.contents() && a.names() == b.names())
        for replica in [a, b] { try replica.close() }
    }

    @Test("bytes come in pieces of any size", arguments: [1, 7, 300, 100_000])
    func pieces(size: Int) throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        for _ in 0..<5 { try a.write(rows: 2, size: 200) }
        try b.write()
        var connection = connection(a, b, seed: 1, largestPiece: size)
        try connection.run()
        #expect(connection.ends.map(\.link.session.end) == [.complete, .complete])
        #expect(try a.contents() == b.contents())
    }

    /// A cut at any byte loses nothing, and what was acknowledged is not sent again.
    @Test("is cut at any byte and goes on", arguments: 0..<8)
    func cuts(seed: UInt64) throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        let random = SeededRandom(seed: seed)
        for _ in 0..<30 { try a.write(rows: 1 + Int(random.next() % 40), size: 500) }
        try a.write(rows: 40, size: 60_000)
        for _ in 0..<30 { try b.write(rows: 1 + Int(random.next() % 40), size: 500) }
        var new = [0, 0]
        var rounds = 0
        while true {
            rounds += 1
            let known = try [a, b].map { try $0.contents().count }
            var connection = connection(a, b, seed: seed &* 100 &+ UInt64(rounds), largestPiece: 20_000)
            try connection.run(until: Int(random.next() % 4_000_000))
            let progress = connection.ends.map(\.link.session.progress)
            if !connection.isOver { try connection.cut() }
            let arrived = try [a, b].map { try $0.contents().count }
            for index in 0..<2 {
                #expect(progress[index].received.known == 0, "what was durable there came again")
                #expect(arrived[index] - known[index] == progress[index].received.new)
                new[index] += progress[index].received.new
            }
            if connection.ends.allSatisfy({ $0.link.session.end == .complete }) { break }
            try #require(rounds < 400)
        }
        #expect(new == [30, 31])
        #expect(try a.contents() == b.contents() && a.names() == b.names())
        for replica in [a, b] { try replica.close() }
    }

    @Test func aLiveSessionPassesOnWhatIsCommitted() throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        let c = try TestReplica(3, joining: a.log.dataset, over: disk)
        try a.write()
        try c.write()
        var left = connection(a, b, seed: 1, isLive: true)
        var right = connection(b, c, seed: 2, isLive: true)
        func settle() throws {
            for _ in 0..<4 {
                try left.tick(10)
                try left.run()
                try right.tick(10)
                try right.run()
            }
        }
        try settle()
        #expect(try a.contents() == c.contents() && a.contents().count == 2)
        for round in 0..<10 {
            try a.write(rows: round + 1)
            try c.write()
            if round % 3 == 0 { try b.write() }
            try settle()
            #expect(try a.contents() == b.contents() && b.contents() == c.contents())
        }
        #expect(!left.isOver && left.ends.allSatisfy { $0.link.session.hasExported && $0.link.session.hasImported })
        // A transaction goes over each wire once.
        #expect(left.ends.map(\.link.session.progress.received.known) == [0, 0])
        #expect(right.ends.map(\.link.session.progress.received.known) == [0, 0])
    }

    /// A store copied bytewise goes on in both places.
    @Test func aForkIsFoundWhereverItLies() throws {
        for (left, right) in [(1, 3), (4, 2), (5, 5), (1, 1), (40, 30)] {
            let disk = try TestReplica.sharedDisk()
            let a = try TestReplica(1, over: disk)
            for _ in 0..<9 { try a.write() }
            let (one, two) = try a.copied(7, over: disk)
            for _ in 0..<left { try one.write() }
            for _ in 0..<right { try two.write() }
            let third = try TestReplica(3, joining: a.log.dataset, over: disk)
            var number: UInt64 = 0
            func sync(_ a: TestReplica, _ b: TestReplica) throws -> [ReceivedTransactions] {
                number += 1
                var connection = connection(a, b, seed: number, largestPiece: 5_000)
                try connection.run()
                for end in connection.ends { #expect(end.link.session.end == SessionEnd.complete) }
                return connection.ends.map { $0.link.session.progress.received }
            }
            for replica in [one, two] { _ = try sync(third, replica) }
            for (a, b) in [(one, third), (two, third), (one, two)] { _ = try sync(a, b) }
            #expect(try one.contents() == two.contents())
            #expect(try one.contents().count == 9 + left + right)
            #expect(one.names() == two.names() && one.names().count == 2)
            _ = try sync(one, third)
            #expect(try third.contents() == one.contents())
            #expect(third.names() == one.names())
            let last = try sync(one, two)
            #expect(last.allSatisfy { $0 == ReceivedTransactions() })
        }
    }

    @Test func anotherDatasetIsRefused() throws {
        let disk = try TestReplica.sharedDisk()
        let (a, b) = (try TestReplica(1, over: disk), try TestReplica(2, over: disk))
        try a.write()
        var connection = connection(a, b, seed: 1)
        try connection.run()
        let codes = connection.ends.map { end -> Refusal.Code? in
            switch end.link.session.end {
            case .refused(let refusal), .refusedByPeer(let refusal): refusal.code
            default: nil
            }
        }
        #expect(codes == [.dataset, .dataset])
        #expect(try b.contents().isEmpty)
    }
}
