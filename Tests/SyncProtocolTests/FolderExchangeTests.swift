import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// Replicas that share a folder come to have the same, whatever happens to it on the way.
@Suite struct FolderExchangeTests {
    private func replicas(_ count: Int, over disk: any FileSystem) throws -> [TestReplica] {
        let first = try TestReplica(1, over: disk)
        return try [first] + (1..<count).map { try TestReplica(UInt64($0) + 1, joining: first.log.dataset, over: disk) }
    }

    private func expectAgreement(_ replicas: [TestReplica], count: Int? = nil) throws {
        let contents = try replicas[0].contents()
        if let count { #expect(contents.count == count) }
        for replica in replicas.dropFirst() {
            #expect(try replica.contents() == contents)
            #expect(replica.names() == replicas[0].names())
        }
    }

    @Test func twoReplicasConvergeAndThenAreQuiet() throws {
        let disk = try TestReplica.sharedDisk()
        let both = try replicas(2, over: disk)
        for _ in 0..<3 { for replica in both { try replica.write() } }
        let first = try both[0].sync()
        #expect(first.published.transactions == 3 && first.published.files == 1 && first.imported.transactions == 0)
        let second = try both[1].sync()
        #expect(second.published.transactions == 3 && second.imported.transactions == 3 && second.imported.files == 1)
        #expect(try both[0].sync().imported.transactions == 3)
        try expectAgreement(both, count: 6)

        // Nothing new: the folder is listed, and no file of it is opened or written.
        let (calls, changes) = (disk.callCount, disk.changeCount)
        for replica in both { #expect(try replica.sync().isQuiet) }
        #expect(disk.changeCount == changes)
        #expect(disk.callCount - calls < 40)
        disk.failOperation(at: 0, sticky: true, operations: [.open, .read, .create])
        for replica in both { #expect(try replica.sync().isQuiet) }
        disk.clearFaults()
        for replica in both { try replica.close() }
    }

    @Test func threeReplicasConvergeInAnyOrderOfSyncs() throws {
        for seed in UInt64(1)...12 {
            let disk = try TestReplica.sharedDisk()
            let all = try replicas(3, over: disk)
            let random = SeededRandom(seed: seed)
            for _ in 0..<25 {
                let replica = all[Int(random.next() % 3)]
                if random.next() % 3 > 0 { try replica.write(rows: Int(random.next() % 4) + 1) } else { try replica.sync() }
            }
            for _ in 0..<2 { for replica in all { try replica.sync() } }
            try expectAgreement(all)
            for replica in all { #expect(try replica.sync().isQuiet) }
        }
    }

    /// Each file that is closed early has something that was in no frame yet: counted for ever, it would leave the others no memory to
    /// pack transactions together.
    @Test func manyHalfFilledFilesLeaveRoomToPackWhatFollows() throws {
        let disk = try TestReplica.sharedDisk()
        let both = try replicas(2, over: disk)
        let id = BlobID(high: Digest128(high: 1, low: 2), low: Digest128(high: 3, low: 4))
        let missing = BlobReference(id: id, length: 100_000)
        for number in 0..<60 {
            try both[0].write(size: 200_000, blobs: [number % 2 == 0 ? missing : try both[0].blob(9)])
        }
        for _ in 0..<100 { try both[0].write() }
        #expect(try both[0].sync().published.files == 60)
        let lasts = try disk.exchangeFiles(both[0].log.dataset).filter { $0.contains("-\(Digest128.hex(160))-") }
        let last = try disk.contents(of: try #require(lasts.first))
        let frames = stride(from: 128, to: last.count, by: 64).count { last[$0...].starts(with: Array("SFRM".utf8)) }
        #expect(frames == 1)
        try both[1].sync()
        try expectAgreement(both, count: 160)
    }

    /// Three replicas of which the outer two never see the same folder.
    @Test func relaysCarryOnWhatOthersWrote() throws {
        let (left, right) = (try TestReplica.sharedDisk(), try TestReplica.sharedDisk())
        let a = try TestReplica(1, over: left)
        let b = try TestReplica(2, joining: a.log.dataset, over: left)
        let c = try TestReplica(3, joining: a.log.dataset, over: right)
        var outside = b.environment
        outside.fileSystem = right
        var relay = FolderExchange(TestReplica.folder, log: b.log, blobs: b.blobs, in: outside)
        let image = try a.blob(5)
        for _ in 0..<3 { try a.write(blobs: [image]) }
        try a.sync()
        try b.write()
        #expect(try b.sync().imported.transactions == 3)
        #expect(try relay.sync().published.transactions == 4)
        try c.write()
        let arrived = try c.sync()
        #expect(arrived.imported.transactions == 4 && arrived.imported.blobs == 1 && arrived.elsewhere == 0)
        #expect(try relay.sync().imported.transactions == 1)
        #expect(try b.sync().published.transactions == 1)
        try a.sync()
        try expectAgreement([a, b, c], count: 5)
        // Nothing is published twice.
        #expect(try relay.sync().isQuiet)
        #expect(try c.sync().isQuiet)
        #expect(try left.exchangeFiles(a.log.dataset).count == 3)
    }

    @Test func filesMayArriveInAnyOrderTwiceAndUnderOtherNames() throws {
        let disk = try TestReplica.sharedDisk()
        let source = try TestReplica(1, over: disk)
        for _ in 0..<5 {
            for _ in 0..<2 { try source.write() }
            try source.sync()
        }
        let files = try disk.exchangeFiles(source.log.dataset)
        #expect(files.count == 5)
        for seed in UInt64(1)...8 {
            let arriving = try TestReplica.sharedDisk()
            let target = try TestReplica(9, joining: source.log.dataset, over: arriving)
            let directory = Path.parent(of: files[0])
            try arriving.createDirectories(directory)
            try arriving.createDirectories("\(TestReplica.folder)/\(source.log.dataset)/r/not a replica")
            let random = SeededRandom(seed: seed)
            for (number, file) in files.sorted(by: { _, _ in random.next() % 2 == 0 }).enumerated() {
                let bytes = try disk.contents(of: file)
                let name = String(file.dropLast(6))
                switch random.next() % 3 {
                case 0: try arriving.put(bytes, at: file)
                case 1: try arriving.put(bytes, at: name + " (conflicted copy 2026-11-30).strdx")
                default: try arriving.put(bytes, at: name + ".sync-conflict-20261130-ABCDEF.strdx")
                }
                if random.next() % 2 == 0 { try arriving.put(bytes, at: "\(directory)/copy \(number).strdx") }
                try arriving.put([1, 2, 3], at: "\(directory)/.DS_Store")
                let report = try target.exchange.receive()
                #expect(report.skipped.isEmpty)
            }
            try expectAgreement([source, target], count: 10)
            #expect(try target.exchange.receive().isQuiet)
        }
    }

    @Test func aGapWaitsForTheFileThatFillsIt() throws {
        let disk = try TestReplica.sharedDisk()
        let source = try TestReplica(1, over: disk)
        for _ in 0..<3 {
            try source.write()
            try source.sync()
        }
        let files = try disk.exchangeFiles(source.log.dataset)
        let second = try disk.contents(of: files[1])
        try disk.remove(files[1])
        let target = try TestReplica(2, joining: source.log.dataset, over: disk)
        let first = try target.sync()
        #expect(first.imported.transactions == 1 && first.waiting == 1)
        // Cut off, it is reported and waited for; whole, it is taken.
        try disk.put(Array(second.dropLast(5)), at: files[1])
        let cut = try target.sync()
        #expect(cut.imported.transactions == 0 && cut.skipped.map(\.path) == [files[1]] && cut.waiting == 1)
        try disk.put(second, at: files[1])
        let last = try target.sync()
        #expect(last.imported.transactions == 2 && last.waiting == 0 && last.skipped.isEmpty)
        try expectAgreement([source, target], count: 3)
    }

    /// What somebody else has removed, or never got, is published again by whoever has it.
    @Test func whatIsMissingInTheFolderIsPublishedAgain() throws {
        let disk = try TestReplica.sharedDisk()
        let both = try replicas(2, over: disk)
        for _ in 0..<3 {
            try both[0].write()
            try both[0].sync()
        }
        try both[1].sync()
        let files = try disk.exchangeFiles(both[0].log.dataset)
        try disk.remove(files[1])
        let third = try TestReplica(3, joining: both[0].log.dataset, over: disk)
        #expect(try third.sync().waiting == 1)
        #expect(try both[1].sync().published.transactions == 1)
        try third.sync()
        try expectAgreement(both + [third], count: 3)
    }

    /// A file that has gone bad is as good as none for whoever looks, and is replaced.
    @Test func aDamagedFileIsPublishedAgainOnRequest() throws {
        let disk = try TestReplica.sharedDisk()
        let both = try replicas(2, over: disk)
        for _ in 0..<3 {
            try both[0].write()
            try both[0].sync()
        }
        try both[1].sync()
        let file = try disk.exchangeFiles(both[0].log.dataset)[1]
        var bytes = try disk.contents(of: file)
        bytes[200] ^= 1
        try disk.put(bytes, at: file)
        #expect(try both[1].sync().isQuiet)
        // Another replica leaves it where it is and publishes a copy; its owner replaces it.
        let relayed = try both[1].exchange.sync(verifying: true)
        #expect(relayed.skipped.map(\.path) == [file] && relayed.published.transactions == 1)
        #expect(try both[0].exchange.sync(verifying: true).published.transactions == 0)
        try disk.remove(try #require(try disk.exchangeFiles(both[0].log.dataset, of: both[1].log.replica).first))
        #expect(try both[0].exchange.sync(verifying: true).published.transactions == 1)
        #expect(try both[0].exchange.sync(verifying: true).isQuiet)
        let third = try TestReplica(3, joining: both[0].log.dataset, over: disk)
        #expect(try third.sync().skipped.isEmpty)
        try expectAgreement(both + [third], count: 3)
    }

    @Test func whatWasPublishedIsThereAfterAPowerCut() throws {
        let disk = try TestReplica.sharedDisk()
        let source = try TestReplica(1, over: disk)
        for _ in 0..<2 {
            try source.write(blobs: [try source.blob(5)])
            #expect(try source.sync().published.transactions == 1)
        }
        let after = disk.crash(keeping: .none)
        let target = try TestReplica(2, joining: source.log.dataset, over: after)
        let report = try target.sync()
        #expect(report.skipped.isEmpty && report.waiting == 0 && report.elsewhere == 0)
        try expectAgreement([source, target], count: 2)
    }

    /// A file whose checksums are right and whose transactions are not those of the chain in its name.
    @Test func whatIsNotDurableIsNotPublished() throws {
        let disk = try TestReplica.sharedDisk()
        let a = try TestReplica(1, over: disk)
        try a.write(isDurable: false)
        #expect(try a.sync().published.transactions == 0)
        #expect(try disk.exchangeFiles(a.log.dataset).isEmpty)
        try a.log.flush()
        #expect(try a.sync().published.transactions == 1)
    }

    @Test func aFileThatLiesAboutAChainIsNotImported() throws {
        let disk = try TestReplica.sharedDisk()
        let both = try replicas(2, over: disk)
        try both[0].write()
        try both[0].sync()
        let path = try disk.exchangeFiles(both[0].log.dataset)[0]
        var bytes = try disk.contents(of: path)
        var salted = ByteReader(bytes, 96..<104)
        let salt = try salted.u64()
        var frame = try #require(FrameHeader(bytes, at: 128, salt: salt))
        #expect(!frame.isCompressed && 192 + Int(frame.storedLength) == bytes.count)
        bytes[bytes.count - 1] ^= 1
        frame.bodyChecksum = Checksum.xxh3(bytes.span.extracting(192..<bytes.count))
        var writer = ByteWriter()
        frame.append(to: &writer, salt: salt)
        bytes.replaceSubrange(128..<192, with: writer.bytes)
        try disk.put(bytes, at: path)
        let report = try both[1].sync()
        #expect(report.skipped.map(\.path) == [path] && report.imported.transactions == 0)
        #expect(try both[1].contents().isEmpty)
    }

    @Test func datasetsDoNotMix() throws {
        let disk = try TestReplica.sharedDisk()
        let (one, two) = (try TestReplica(1, over: disk), try TestReplica(2, over: disk))
        #expect(one.log.dataset != two.log.dataset)
        for replica in [one, two] {
            try replica.write()
            #expect(try replica.sync().imported.transactions == 0)
        }
        try disk.createDirectory("\(TestReplica.folder)/holiday photos")
        #expect(
            try FolderExchange.datasets(in: TestReplica.folder, .simulated(seed: 1, fileSystem: disk))
                == [one.log.dataset, two.log.dataset].sorted())
        #expect(try one.sync().isQuiet)
        // A file that somebody has put into the wrong dataset.
        let file = try disk.exchangeFiles(two.log.dataset)[0]
        let misplaced = try disk.exchangeFiles(one.log.dataset)[0] + " copy.strdx"
        try disk.put(try disk.contents(of: file), at: misplaced)
        let report = try one.sync()
        #expect(report.skipped.map(\.path) == [misplaced] && report.imported.transactions == 0)
    }

    @Test func aFolderThatIsNotThereIsNoEmptyOne() throws {
        let disk = SimulatedFileSystem()
        let replica = try TestReplica(1, over: disk)
        try replica.write()
        #expect(throws: SyncError.self) { try replica.sync() }
        #expect(disk.changeCount == 0)
    }

    @Test func aLargeTransactionTravelsInParts() throws {
        let disk = try TestReplica.sharedDisk()
        let both = try replicas(2, over: disk)
        try both[0].write()
        try both[0].write(rows: 90, size: 60_000)
        try both[0].write()
        try both[0].sync()
        let file = try disk.exchangeFiles(both[0].log.dataset)[0]
        #expect(try disk.attributes(of: file)?.size ?? 0 > 5_000_000)
        #expect(try both[1].sync().imported.transactions == 3)
        try expectAgreement(both, count: 3)
        // Its last byte is missing somewhere else: nothing of it is taken, and nothing is left behind.
        let other = try TestReplica.sharedDisk()
        let third = try TestReplica(3, joining: both[0].log.dataset, over: other)
        try other.createDirectories(Path.parent(of: file))
        var bytes = try disk.contents(of: file)
        bytes[bytes.count / 2] ^= 1
        try other.put(bytes, at: file)
        let report = try third.sync()
        #expect(report.skipped.count == 1 && report.skipped[0].offset ?? 0 > 0)
        #expect(try third.contents().isEmpty)
        #expect(try third.leftovers().isEmpty)
        for replica in both + [third] { try replica.close() }
    }

    /// A batch that came uncompressed, though it could be, stays so on its way through a folder and on.
    @Test func aLargeBatchIsPassedOnAsItCame() throws {
        let disk = try TestReplica.sharedDisk()
        let all = try replicas(3, over: disk)
        try all[2].write(rows: 200, size: 0, padding: 2000)
        var reader = try LogReader(all[2].log)
        let written = try #require(try reader.next())
        guard case .parts(let parts) = written.content else { throw SyncError(.store, "no parts") }
        let batch = Batch(
            origin: written.branch.origin, firstSequence: 1, previousChain: written.previousChain, transactions: parts)
        let body = batch.encode()
        var header = FrameHeader(.batch)
        header.logicalLength = UInt32(body.count)
        header.storedLength = UInt32(body.count)
        header.transactions = 1
        header.bodyChecksum = Checksum.xxh3(body.span)
        _ = try all[0].log.receive(batch, as: Frame(header: header, stored: body[...]))
        try all[0].log.flush()
        #expect(try all[0].sync().published.bytes > 400_000)
        #expect(try all[1].sync().imported.bytes > 400_000)
        let direct = try TestReplica(9, joining: all[0].log.dataset, over: disk)
        let report = try DirectExchange(all[1].log, all[1].blobs, with: direct.log, direct.blobs).sync()
        #expect(report.published.bytes > 400_000)
        try expectAgreement(all + [direct], count: 1)
    }

    /// A long history becomes several files, whose boundaries lie where they are full.
    @Test func aLongHistoryIsDividedIntoFiles() throws {
        let disk = try TestReplica.sharedDisk()
        let both = try replicas(2, over: disk)
        for _ in 0..<40 { try both[0].write(rows: 10, size: 50_000) }
        let report = try both[0].sync()
        #expect(report.published.transactions == 40 && report.published.files == 2)
        for file in try disk.exchangeFiles(both[0].log.dataset) {
            #expect(try disk.attributes(of: file)?.size ?? 0 < 18 << 20)
        }
        var heard: [ExchangeProgress] = []
        var turns = 0
        let steps = ExchangeSteps(
            turn: { body in
                turns += 1
                try body()
            }, progress: { heard.append($0) })
        #expect(try both[1].exchange.sync(steps: steps).imported.files == 2)
        #expect(turns == 2 && heard.last?.done == 2 && heard.last?.total == 2)
        try expectAgreement(both, count: 40)
    }
}
