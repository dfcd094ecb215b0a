import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// Blobs that come in pieces, from one peer or several, over connections that break.
@Suite struct BlobTransfersTests {
    private struct Peer {
        let replica: TestReplica
        let transfers: BlobTransfers

        init(_ replica: TestReplica) {
            self.replica = replica
            transfers = BlobTransfers(replica.blobs)
        }
    }

    private func connection(_ a: Peer, _ b: Peer, seed: UInt64, number: Int) -> SimulatedConnection {
        func end(_ peer: Peer, _ nonce: UInt64) -> SimulatedConnection.End {
            let configuration = SessionConfiguration(
                dataset: peer.replica.log.dataset, replica: peer.replica.log.replica, name: "", isLive: false, blobs: .eager,
                nonce: nonce, wallClock: 0)
            return SimulatedConnection.End(
                peer.replica.log, peer.replica.blobs, peer.transfers.exchange(with: number), configuration, now: 0)
        }
        return SimulatedConnection(end(a, 1), end(b, 2), seed: seed, largestPiece: 300_000)
    }

    @Test func blobsFollowTheirTransactions() throws {
        let disk = try TestReplica.sharedDisk()
        let a = Peer(try TestReplica(1, over: disk))
        let b = Peer(try TestReplica(2, joining: a.replica.log.dataset, over: disk))
        let images = try [70_000, 524_288, 524_289, 3_000_000].map { try a.replica.blob(UInt64($0), size: $0) }
        try a.replica.write(blobs: images)
        var first = connection(a, b, seed: 1, number: 1)
        try first.run()
        #expect(first.ends.allSatisfy { $0.link.session.end == SessionEnd.complete })
        for image in images {
            let reader = try b.replica.blobs.open(image.id)
            try reader.verify()
            reader.close()
        }
        #expect(first.ends[1].link.session.progress.blobsReceived == 4)
        #expect(first.ends[0].link.session.progress.blobsSent == 4)
        #expect(b.transfers.wantedCount == 0)
        #expect(try b.replica.environment.fileSystem.list("/store/arriving").isEmpty)
    }

    /// What came is not asked for again, even by a process that was killed and has forgotten all but its files.
    @Test("goes on after a cut", arguments: 0..<10)
    func cuts(seed: UInt64) throws {
        let disk = try TestReplica.sharedDisk()
        let a = Peer(try TestReplica(1, over: disk))
        let image = try a.replica.blob(9, size: 40_000_000)
        try a.replica.write(blobs: [image])
        let replica = try TestReplica(2, joining: a.replica.log.dataset, over: disk)
        let random = SeededRandom(seed: seed)
        var received: UInt64 = 0
        var rounds = 0
        while try !replica.blobs.contains(image.id) {
            rounds += 1
            try #require(rounds < 60)
            let b = Peer(replica)
            // As a store does when it is opened.
            if rounds > 1 { b.transfers.want([BlobReference(id: image.id, length: image.length)]) }
            var connection = connection(a, b, seed: seed &+ UInt64(rounds), number: rounds)
            try connection.run(until: Int(random.next() % 30_000_000))
            received += connection.ends[1].link.session.progress.blobBytesReceived
            if !connection.isOver { try connection.cut() }
        }
        let reader = try replica.blobs.open(image.id)
        try reader.verify()
        reader.close()
        // A cut loses at most what one peer had under way.
        #expect(received <= image.length + UInt64(rounds) * 600_000)
    }

    @Test func twoPeersBringOneBlob() throws {
        let disk = try TestReplica.sharedDisk()
        let a = Peer(try TestReplica(1, over: disk))
        let image = try a.replica.blob(9, size: 60_000_000)
        try a.replica.write(blobs: [image])
        let c = Peer(try TestReplica(3, joining: a.replica.log.dataset, over: disk))
        var copy = connection(a, c, seed: 1, number: 1)
        try copy.run()
        let b = Peer(try TestReplica(2, joining: a.replica.log.dataset, over: disk))
        var left = connection(a, b, seed: 2, number: 2)
        var right = connection(c, b, seed: 3, number: 3)
        var limit = 0
        while try !b.replica.blobs.contains(image.id) {
            limit += 1_000_000
            try #require(limit < 200_000_000)
            for _ in 0..<2 {
                try left.run(until: limit)
                try right.run(until: limit)
                try left.tick(1_000)
                try right.tick(1_000)
            }
        }
        let parts = [left, right].map { $0.ends[1].link.session.progress.blobBytesReceived }
        #expect(parts.allSatisfy { $0 > 10_000_000 }, "\(parts)")
        #expect(parts.reduce(0, +) == image.length)
    }

    /// A peer whose copy is damaged, or gone, is passed over; another one has it.
    @Test func aDamagedCopyIsNotTaken() throws {
        let disk = try TestReplica.sharedDisk()
        let a = Peer(try TestReplica(1, over: disk))
        let image = try a.replica.blob(9, size: 2_000_000)
        let lost = try a.replica.blob(10, size: 900_000)
        try a.replica.write(blobs: [image, lost])
        let c = Peer(try TestReplica(3, joining: a.replica.log.dataset, over: disk))
        var copy = connection(a, c, seed: 1, number: 1)
        try copy.run()
        let name = image.id.description
        let file = try a.replica.environment.fileSystem.open("/store/blobs/\(name.prefix(2))/\(name)", .readWrite)
        try file.write([1, 2, 3].span, at: 1_000_000)
        file.close()
        let gone = lost.id.description
        try a.replica.environment.fileSystem.remove("/store/blobs/\(gone.prefix(2))/\(gone)")
        let b = Peer(try TestReplica(2, joining: a.replica.log.dataset, over: disk))
        var bad = connection(a, b, seed: 2, number: 2)
        try bad.run()
        #expect(bad.ends.allSatisfy { $0.link.session.end == SessionEnd.complete })
        #expect(try !b.replica.blobs.contains(image.id) && !b.replica.blobs.contains(lost.id))
        #expect(b.transfers.wantedCount == 2)
        var good = connection(c, b, seed: 3, number: 3)
        try good.run()
        for blob in [image, lost] {
            let reader = try b.replica.blobs.open(blob.id)
            try reader.verify()
            reader.close()
        }
    }
}
