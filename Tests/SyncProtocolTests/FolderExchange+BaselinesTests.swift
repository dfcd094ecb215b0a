import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// Replicas that come too late for the history find a baseline in the folder.
@Suite struct FolderExchangeBaselinesTests {
    private static let month: UInt64 = 31 * 86_400_000

    /// Two replicas that know each other, with something of each.
    private func pair(over disk: SimulatedFileSystem) throws -> (a: TestReplica, b: TestReplica) {
        let a = try TestReplica(1, over: disk)
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        for replica in [a, b, a] { try replica.sync() }
        for _ in 0..<5 { try a.write() }
        try b.write()
        for replica in [a, b, a, b] { try replica.sync() }
        return (a, b)
    }

    private func pass(_ milliseconds: UInt64, for replicas: [TestReplica]) {
        for replica in replicas { (replica.environment.clock as? SimulatedClock)?.advance(milliseconds: milliseconds) }
    }

    private func object(_ a: TestReplica, _ registers: [Baseline.Register]) -> Baseline.Object {
        var object = Baseline.Object(
            id: ObjectID(replica: a.log.replica, sequence: 1, index: 0), entity: "Photo", created: Timestamp(rawValue: 1),
            length: 1)
        object.registers = registers
        return object
    }

    private func register(_ a: TestReplica, _ name: String, _ type: ValueType, _ value: Value) -> Baseline.Register {
        Baseline.Register(
            property: Property(name, type), length: 1, isExplicit: false,
            stamp: Stamp(timestamp: Timestamp(rawValue: 1), replica: a.log.replica), value: value)
    }

    @Test func aNewReplicaTakesTheBaselineFirst() throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        for _ in 0..<5 { try a.write() }
        let image = try a.blob(1)
        let photo = object(a, [register(a, "image", .blob, .blob(image))])
        #expect(try LogTrim.trim(a.log, objects: [photo])?.transactions == 5)
        try a.write()
        let published = try a.sync()
        #expect(published.published.baselines == 1 && published.published.blobs == 1)
        #expect(published.published.transactions == 1)
        #expect(try a.sync().isQuiet)

        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        try b.write()
        let report = try b.sync()
        #expect(report.imported.baselines == 1 && report.imported.blobs == 1 && report.imported.transactions == 1)
        #expect(report.published.transactions == 1 && report.waiting == 0 && report.skipped.isEmpty)
        #expect(try b.blobs.contains(image.id))
        #expect(try b.log.baselineFiles.map(\.identity) == a.log.baselineFiles.map(\.identity))
        try a.sync()
        #expect(a.names() == b.names())
        #expect(try b.sync().isQuiet && a.sync().isQuiet)
        #expect(try disk.exchangeFiles(a.log.dataset, endingIn: ".strdb").count == 1)
        for replica in [a, b] { try replica.close() }
    }

    /// What one replica lets go of stays in the folder until the others have it, and is not published again by them.
    @Test func filesGoWhenEverybodyWhoLivesHasThem() throws {
        let disk = try TestReplica.sharedDisk()
        let (a, b) = try pair(over: disk)
        #expect(try a.log.peers.map(\.key) == [b.log.replica.description])
        for _ in 0..<3 { try a.write() }
        try a.sync()
        let before = try disk.exchangeFiles(a.log.dataset, of: a.log.replica).count
        try LogTrim.trim(a.log)
        try a.sync()
        // The first file has everything that b has acknowledged.
        let kept = try disk.exchangeFiles(a.log.dataset, of: a.log.replica)
        #expect(kept.count == before - 1 && kept.count == 1)

        let report = try b.sync()
        #expect(report.imported.transactions == 3 && report.imported.baselines == 0)
        #expect(report.published.transactions == 0)
        try a.sync()
        #expect(try disk.exchangeFiles(a.log.dataset, of: a.log.replica).isEmpty)
        let after = try b.sync()
        #expect(after.published.transactions == 0 && after.published.baselines == 0)
        #expect(a.names() == b.names())
        // What b wrote is b's, and it has not let go of it.
        #expect(try disk.exchangeFiles(a.log.dataset, of: b.log.replica).count == 1)
        let c = try TestReplica(3, joining: a.log.dataset, over: disk)
        #expect(try c.sync().imported.baselines == 1)
        #expect(c.names() == a.names())
    }

    @Test func whoWasAwayForLongJoinsWithWhatItWrote() throws {
        let disk = try TestReplica.sharedDisk()
        let (a, b) = try pair(over: disk)
        try b.write()
        for _ in 0..<3 { try a.write() }
        try a.sync()
        pass(Self.month, for: [a, b])
        try LogTrim.trim(a.log)
        try a.sync()
        #expect(try disk.exchangeFiles(a.log.dataset, of: a.log.replica).isEmpty)
        try a.write()
        try a.sync()
        let report = try b.sync()
        #expect(report.imported.baselines == 1 && report.imported.transactions == 1)
        #expect(report.published.transactions == 1 && report.skipped.isEmpty)
        #expect(try a.sync().imported.transactions == 1)
        #expect(a.names() == b.names())
        #expect(try a.sync().isQuiet && b.sync().isQuiet)
    }

    /// A replica shows that it lives by a file a day; then it keeps what it lacks for as long as it needs.
    @Test func whoLivesAndLacksNothingNewDoesNotLapse() throws {
        let disk = try TestReplica.sharedDisk()
        let (a, b) = try pair(over: disk)
        for _ in 0..<4 {
            pass(10 * 86_400_000, for: [a, b])
            for replica in [b, a] { try replica.sync() }
        }
        try a.write()
        try a.sync()
        try LogTrim.trim(a.log)
        try a.sync()
        #expect(try disk.exchangeFiles(a.log.dataset, of: a.log.replica).count == 1)
        #expect(try b.sync().imported.baselines == 0)
        #expect(try disk.exchangeFiles(a.log.dataset, of: b.log.replica, endingIn: ".strdk").count == 1)
        try a.log.forget(b.log.replica.description)
        #expect(try !a.log.peers.contains { $0.key == b.log.replica.description })
    }

    @Test func aLargeBaselineComesInPiecesAndGoesOnWhereItStopped() throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        try a.write()
        let random = SeededRandom(seed: 5)
        let photos = (0..<44).map { number in
            var photo = object(a, [register(a, "content", .data, .data(random.bytes(450_000)))])
            photo.id = ObjectID(replica: a.log.replica, sequence: 1, index: UInt32(number))
            return photo
        }
        try LogTrim.trim(a.log, objects: photos)
        // The machine stops after the first piece: the second time only the rest is written.
        disk.inject(Fault(at: 1, of: .rename, sticky: true))
        #expect(throws: SyncError.self) { try a.sync() }
        disk.clearFaults()
        let first = try disk.exchangeFiles(a.log.dataset, endingIn: ".strdp")
        try a.sync()
        let pieces = try disk.exchangeFiles(a.log.dataset, endingIn: ".strdp")
        #expect(first.count == 1 && pieces.count == 2 && pieces.contains(first[0]))

        // One is damaged on its way.
        let whole = try disk.contents(of: pieces[1])
        var broken = whole
        broken[whole.count / 2] ^= 1
        try disk.put(broken, at: pieces[1])
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        let report = try b.sync()
        #expect(report.imported.baselines == 0 && report.skipped.map(\.path) == [pieces[1]])
        #expect(b.names().isEmpty && report.imported.files == 1)
        // It grows while it comes.
        try disk.put(Array(whole.prefix(whole.count / 2)), at: pieces[1])
        #expect(try b.sync().skipped.first?.reason.contains("have arrived") ?? false)
        try disk.remove(pieces[1])
        #expect(try b.sync().waiting == 1)
        try disk.put(whole, at: pieces[1])
        let rest = try b.sync()
        #expect(rest.imported.baselines == 1 && rest.imported.files == 1 && rest.skipped.isEmpty)
        #expect(a.names() == b.names())
        try b.close()
    }

    /// A body with a checksum of its own, that is not the one that the table tells.
    @Test func aPieceThatLiesIsNotTaken() throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        try a.write()
        try LogTrim.trim(a.log)
        try a.sync()
        let elsewhere = try TestReplica.sharedDisk()
        let other = try TestReplica(7, joining: a.log.dataset, over: elsewhere)
        try other.write()
        try LogTrim.trim(other.log, objects: [object(other, [])])
        try other.sync()
        let path = try #require(try disk.exchangeFiles(a.log.dataset, endingIn: ".strdp").first)
        let lie = try elsewhere.contents(of: try #require(try elsewhere.exchangeFiles(a.log.dataset, endingIn: ".strdp").first))
        // The header is made to fit; what follows is sound, and another baseline's.
        var bytes = lie
        bytes.replaceSubrange(0..<128, with: try Self.header(of: try disk.contents(of: path), salt: lie, length: lie.count))
        try disk.put(bytes, at: path)
        let b = try TestReplica(2, joining: a.log.dataset, over: disk)
        let report = try b.sync()
        #expect(report.imported.baselines == 0 && report.skipped.count == 1)
        #expect(report.skipped.first?.reason.contains("not the one that was announced") ?? false)
        #expect(b.names().isEmpty)
    }

    /// The header of one piece with the salt and the length of another.
    private static func header(of bytes: [UInt8], salt: [UInt8], length: Int) throws -> [UInt8] {
        var header = Array(bytes.prefix(112))
        header.replaceSubrange(64..<72, with: salt[64..<72])
        var writer = ByteWriter()
        writer.u64(UInt64(length))
        header.replaceSubrange(72..<80, with: writer.bytes)
        var sum = ByteWriter()
        sum.digest(Checksum.xxh3Wide(header.span))
        return header + sum.bytes
    }

    @Test func aLaterBaselineTakesThePlaceOfAnEarlierOne() throws {
        let disk = try TestReplica.sharedDisk()
        let (a, b) = try pair(over: disk)
        try LogTrim.trim(a.log)
        try a.sync()
        let first = try disk.exchangeFiles(a.log.dataset, endingIn: ".strdb")
        for _ in 0..<3 { try a.write() }
        for replica in [a, b] { try replica.sync() }
        try LogTrim.trim(a.log)
        try a.sync()
        let second = try disk.exchangeFiles(a.log.dataset, endingIn: ".strdb")
        #expect(first.count == 1 && second.count == 1 && first != second)
        #expect(try disk.exchangeFiles(a.log.dataset, endingIn: ".strdp").count == 1)
        let c = try TestReplica(3, joining: a.log.dataset, over: disk)
        try c.sync()
        #expect(c.names() == a.names())
        #expect(try b.sync().isQuiet)
    }
}
