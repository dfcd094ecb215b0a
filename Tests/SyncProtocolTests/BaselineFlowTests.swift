import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// Sessions with a log whose history begins at a floor.
@Suite struct BaselineFlowTests {
    private func connection(
        _ a: TestReplica, _ b: TestReplica, seed: UInt64 = 1, isLive: Bool = false, largestPiece: Int = 1 << 20
    ) -> SimulatedConnection {
        let ends = [(a, UInt64(1)), (b, 2)].map { replica, number in
            var configuration = SessionConfiguration(
                dataset: replica.log.dataset, replica: replica.log.replica, name: "", isLive: isLive, blobs: .eager,
                nonce: number, wallClock: 0)
            configuration.window = 1 << 20
            let blobs = BlobTransfers(replica.blobs).exchange(with: 0)
            return SimulatedConnection.End(replica.log, replica.blobs, blobs, configuration, now: 0)
        }
        return SimulatedConnection(ends[0], ends[1], seed: seed, largestPiece: largestPiece)
    }

    /// Talks until both are done.
    @discardableResult
    private func meet(_ a: TestReplica, _ b: TestReplica, seed: UInt64 = 1) throws -> [SessionProgress] {
        var connection = connection(a, b, seed: seed)
        try connection.run()
        #expect(connection.ends.map(\.link.session.end) == [.complete, .complete])
        return connection.ends.map(\.link.session.progress)
    }

    /// Objects of an origin's first transactions, with as many bytes each that do not compress.
    private func objects(_ count: Int, of origin: ReplicaID, size: Int = 40_000) -> [Baseline.Object] {
        let random = SeededRandom(seed: 99)
        return (0..<count).map { number in
            var object = Baseline.Object(
                id: ObjectID(replica: origin, sequence: 1, index: UInt32(number)), entity: "Post",
                created: Timestamp(rawValue: 1), length: 1)
            object.registers = [
                Baseline.Register(
                    property: Property("content", .data), length: 1, isExplicit: false,
                    stamp: Stamp(timestamp: Timestamp(rawValue: 1), replica: origin), value: .data(random.bytes(size)))
            ]
            return object
        }
    }

    private func pair(_ written: Int) throws -> (a: TestReplica, b: TestReplica) {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        for _ in 0..<written { try a.write() }
        return (a, try TestReplica(2, joining: a.log.dataset, over: disk))
    }

    @Test func anEmptyReplicaTakesTheBaselineThenTheTail() throws {
        let (a, b) = try pair(20)
        try #require(try LogTrim.trim(a.log, objects: objects(3, of: a.log.replica)) != nil)
        for _ in 0..<3 { try a.write() }
        let progress = try meet(a, b)
        #expect(progress[1].baselinesReceived == 1 && progress[1].received.new == 3 && progress[1].received.known == 0)
        #expect(try a.names() == b.names() && a.contents() == b.contents())
        #expect(try a.log.floor?.baselines == b.log.floor?.baselines)
        let again = try meet(a, b)
        #expect(again.allSatisfy { $0.baselineBytesReceived == 0 && $0.transactionsSent == 0 })
        for replica in [a, b] { try replica.close() }
    }

    /// Edits that were never sent arrive, and what was trimmed is caught up with.
    @Test func aReplicaThatWasAwayLosesNothing() throws {
        let (a, b) = try pair(5)
        try meet(a, b)
        for _ in 0..<4 { try b.write() }
        for _ in 0..<30 { try a.write() }
        try #require(try LogTrim.trim(a.log) != nil)
        for _ in 0..<2 { try a.write() }
        let progress = try meet(a, b)
        #expect(progress.map(\.received.new) == [4, 2] && progress[1].baselinesReceived == 1)
        #expect(a.names() == b.names())
        // Both go on from there.
        try a.write()
        try b.write()
        #expect(try meet(a, b).map(\.received.new) == [1, 1])
        #expect(a.names() == b.names())
        for replica in [a, b] { try replica.close() }
    }

    @Test func eachTakesTheOthersBaseline() throws {
        let (a, b) = try pair(12)
        for _ in 0..<9 { try b.write() }
        for replica in [a, b] { try #require(try LogTrim.trim(replica.log) != nil) }
        for replica in [a, b] { try replica.write() }
        let progress = try meet(a, b)
        #expect(progress.map(\.baselinesReceived) == [1, 1] && progress.map(\.received.new) == [1, 1])
        #expect(a.names() == b.names())
        // A third one gets both from either.
        let c = try TestReplica(3, joining: a.log.dataset, over: try TestReplica.sharedDisk())
        #expect(try meet(a, c)[1].baselinesReceived == 2)
        #expect(c.names() == a.names())
        for replica in [a, b, c] { try replica.close() }
    }

    /// A body that is here whole is not sent again, wherever the wire is cut.
    @Test("is cut at any byte and goes on", arguments: 0..<6)
    func cuts(seed: UInt64) throws {
        let (a, b) = try pair(10)
        try #require(try LogTrim.trim(a.log, objects: objects(200, of: a.log.replica)) != nil)
        for _ in 0..<5 { try a.write() }
        let size = try #require(try a.log.baselineFiles.first).size
        let random = SeededRandom(seed: seed)
        var (received, cuts) = (UInt64(0), 0)
        while true {
            var connection = connection(a, b, seed: seed &* 100 &+ UInt64(cuts), largestPiece: 50_000)
            try connection.run(until: Int(random.next() % 3_000_000))
            received += connection.ends[1].link.session.progress.baselineBytesReceived
            if connection.ends.allSatisfy({ $0.link.session.end == .complete }) { break }
            try connection.cut()
            cuts += 1
            try #require(cuts < 200)
        }
        #expect(a.names() == b.names())
        // The body that was under way comes again, and no other.
        #expect(received <= size + UInt64(cuts) << 21, "\(cuts) cuts")
        for replica in [a, b] { try replica.close() }
    }

    @Test func twoPeersMayGiveTheSameOne() throws {
        let (a, b) = try pair(10)
        try #require(try LogTrim.trim(a.log, objects: objects(60, of: a.log.replica)) != nil)
        try meet(a, b)
        let c = try TestReplica(3, joining: a.log.dataset, over: try TestReplica.sharedDisk())
        var connections = [connection(a, c, seed: 1), connection(b, c, seed: 2)]
        for _ in 0..<2_000 where !connections.allSatisfy(\.isOver) {
            for index in connections.indices where !connections[index].isOver {
                try connections[index].run(until: connections[index].delivered + 20_000)
                try connections[index].tick(100)
            }
        }
        #expect(connections.allSatisfy { $0.ends.allSatisfy { $0.link.session.end == .complete } })
        #expect(connections.map { $0.ends[1].link.session.progress.baselinesReceived }.reduce(0, +) == 1)
        #expect(c.names() == a.names())
        for replica in [a, b, c] { try replica.close() }
    }

    /// What a trimmed log brings goes on through the line, and new commits go both ways afterwards.
    @Test func itIsPassedOnInALine() throws {
        let (a, b) = try pair(10)
        try #require(try LogTrim.trim(a.log, objects: objects(2, of: a.log.replica)) != nil)
        let c = try TestReplica(3, joining: a.log.dataset, over: try TestReplica.sharedDisk())
        try c.write()
        var left = connection(a, b, seed: 1, isLive: true)
        var right = connection(b, c, seed: 2, isLive: true)
        func settle() throws {
            for _ in 0..<6 {
                try left.tick(10)
                try left.run()
                try right.tick(10)
                try right.run()
            }
        }
        try settle()
        #expect(a.names() == b.names() && b.names() == c.names())
        for replica in [a, c, b] {
            try replica.write()
            try settle()
            #expect(a.names() == b.names() && b.names() == c.names())
        }
        #expect(!left.isOver && !right.isOver)
    }

    /// Blobs that only the baseline names are fetched like any others.
    @Test func theBlobsOfABaselineCome() throws {
        let (a, b) = try pair(3)
        let image = try a.blob(5)
        var object = objects(1, of: a.log.replica, size: 10)[0]
        object.registers.append(
            Baseline.Register(
                property: Property("image", .blob), length: 1, isExplicit: false,
                stamp: Stamp(timestamp: Timestamp(rawValue: 1), replica: a.log.replica), value: .blob(image)))
        try #require(try LogTrim.trim(a.log, objects: [object]) != nil)
        #expect(try meet(a, b)[1].blobsReceived == 1)
        #expect(try b.blobs.contains(image.id))
    }

    /// A log that was trimmed after its peer had asked ends the session; the next one brings the baseline.
    @Test func aTrimWhileAPeerIsServed() throws {
        let (a, b) = try pair(0)
        for _ in 0..<60 { try a.write(rows: 4, size: 20_000) }
        var connection = connection(a, b, largestPiece: 20_000)
        try connection.run(until: 500_000)
        try #require(try LogTrim.trim(a.log) != nil)
        try connection.run()
        if !connection.isOver { try connection.cut() }
        try meet(a, b)
        #expect(a.names() == b.names())
        for replica in [a, b] { try replica.close() }
    }
}
