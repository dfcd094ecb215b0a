import Simulation
import Storage
import Testing

@Suite struct SimulatedFileSystemTests {
    /// A file `/a` with durable "old", then unsynced: a write, a new file with a write, a rename.
    private func disk() throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: Array("old".utf8))
        try disk.open("/a", .readWrite).write(Array("NEW!".utf8).span, at: 0)  // piece 0
        let file = try disk.open("/t", .createNew)  // piece 1
        try file.write(Array("temp".utf8).span, at: 0)  // piece 2
        try disk.rename("/t", to: "/b")  // piece 3
        return disk
    }

    private func picture(_ disk: SimulatedFileSystem) throws -> [String] {
        try disk.list("/").map { name in
            let bytes = try disk.readWhole("/" + name, limit: 100)
            return name + "=" + String(decoding: bytes, as: UTF8.self).replacing("\0", with: "0")
        }
    }

    @Test func subsetsKeepWhatTheySay() throws {
        let disk = try disk()
        #expect(disk.unsyncedCount == 4)
        let expected: [(UnsyncedSubset, [String])] = [
            (.none, ["a=old"]),
            (.all, ["a=NEW!", "b=temp"]),
            (.prefix(1), ["a=NEW!"]),
            (.prefix(2), ["a=NEW!", "t="]),
            (.prefix(3), ["a=NEW!", "t=temp"]),
            (.allBut(0), ["a=old", "b=temp"]),
            (.allBut(1), ["a=NEW!", "b=temp"]),
            (.allBut(2), ["a=NEW!", "b="]),
            (.allBut(3), ["a=NEW!", "t=temp"]),
            (.only(0), ["a=NEW!"]),
            (.only(1), ["a=old", "t="]),
            (.only(2), ["a=old"]),
            (.only(3), ["a=old", "b="]),
            (.names, ["a=old", "b="]),
            (.namesAndLengths, ["a=old0", "b=0000"]),
            (.contents, ["a=NEW!"]),
        ]
        for (subset, picture) in expected { #expect(try self.picture(disk.crash(keeping: subset)) == picture, "\(subset)") }
        #expect(try picture(disk) == ["a=NEW!", "b=temp"], "the disk itself is untouched")
        let every = UnsyncedSubset.every(of: 4, seeds: 2)
        #expect(every.count == Set(every).count && every.count == 2 + 3 + 3 + 4 + 4 + 2)
    }

    @Test func syncsMakeOnlyTheirOwnDurable() throws {
        let disk = try disk()
        try disk.open("/b", .read).sync()
        #expect(try picture(disk.crash(keeping: .none)) == ["a=old"], "no name leads to the synced bytes")
        #expect(try picture(disk.crash(keeping: .names)) == ["a=old", "b=temp"])
        try disk.syncDirectory("/")
        #expect(try picture(disk.crash(keeping: .none)) == ["a=old", "b=temp"])
        #expect(disk.unsyncedCount == 1)
        try disk.open("/a", .read).sync()
        #expect(try picture(disk.crash(keeping: .none)) == ["a=NEW!", "b=temp"])
        #expect(disk.unsyncedCount == 0)
    }

    @Test func movesBetweenDirectoriesTakeTwoSyncs() throws {
        let disk = SimulatedFileSystem()
        try disk.createDirectories("/from")
        try disk.createDirectories("/to")
        try disk.replace("/from/x", with: [1])
        try disk.rename("/from/x", to: "/to/y")
        let names = { (disk: SimulatedFileSystem) in [try disk.list("/from"), try disk.list("/to")] }
        #expect(try names(disk.crash(keeping: .none)) == [["x"], []])
        #expect(try names(disk.crash(keeping: .all)) == [[], ["y"]])
        try disk.syncDirectory("/to")
        #expect(try names(disk.crash(keeping: .none)) == [["x"], ["y"]])
        try disk.syncDirectory("/from")
        #expect(try names(disk.crash(keeping: .none)) == [[], ["y"]])
    }

    @Test func removalsComeBackUntilSynced() throws {
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: [1])
        try disk.remove("/a")
        #expect(try disk.crash(keeping: .none).readWhole("/a", limit: 9) == [1])
        #expect(try disk.crash(keeping: .all).list("/") == [])
        try disk.syncDirectory("/")
        #expect(try disk.crash(keeping: .none).list("/") == [])
    }

    @Test func randomSubsetsTearWritesAtSectors() throws {
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: [UInt8](repeating: 1, count: 4_096))
        try disk.open("/a", .readWrite).write([UInt8](repeating: 2, count: 3_000).span, at: 100)
        var pictures: Set<[UInt8]> = []
        for seed in 0..<64 as Range<UInt64> {
            let bytes = try disk.crash(keeping: .random(seed: seed)).readWhole("/a", limit: 9_999)
            #expect(bytes.count == 4_096)
            for sector in 0...6 {
                let part = bytes[max(100, sector * 512)..<min(3_100, max(100, (sector + 1) * 512))]
                #expect(Set(part).count <= 1, "a sector is never torn")
            }
            #expect(bytes.prefix(100).allSatisfy { $0 == 1 } && bytes.suffix(996).allSatisfy { $0 == 1 })
            pictures.insert(bytes)
            #expect(try disk.crash(keeping: .random(seed: seed)).readWhole("/a", limit: 9_999) == bytes, "a seed repeats")
        }
        #expect(pictures.count > 20)
        #expect(pictures.contains([UInt8](repeating: 1, count: 4_096)))
    }

    @Test func randomSubsetsLengthenWithoutBytes() throws {
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: [])
        try disk.open("/a", .readWrite).write([UInt8](repeating: 2, count: 1_536).span, at: 0)
        let sizes = try Set((0..<64).map { try disk.crash(keeping: .random(seed: $0)).readWhole("/a", limit: 9_999).count })
        #expect(sizes == [0, 512, 1_024, 1_536])
    }

    @Test func aFailedSyncLies() throws {
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: Array("old".utf8))
        let file = try disk.open("/a", .readWrite)
        try file.write(Array("lost".utf8).span, at: 0)
        disk.inject(Fault(at: 0, of: .sync, effect: .losesUnsynced))
        #expect(throws: StorageError.self) { try file.sync() }
        try file.sync()
        try file.write(Array("kept".utf8).span, at: 4)
        try file.sync()
        #expect(try disk.readWhole("/a", limit: 99) == Array("lostkept".utf8), "the cache shows it, to a fresh handle as well")
        #expect(try disk.crash(keeping: .all).readWhole("/a", limit: 99) == Array("old\0kept".utf8))
        file.dropCache()
        #expect(try disk.readWhole("/a", limit: 99) == Array("old\0kept".utf8))
    }

    @Test func anHonestFailedSyncKeepsThePieces() throws {
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: [])
        let file = try disk.open("/a", .readWrite)
        try file.write([1].span, at: 0)
        disk.failOperation(at: 0, operations: .sync)
        #expect(throws: StorageError.self) { try file.sync() }
        file.dropCache()
        #expect(try file.size() == 1)
        try file.sync()
        #expect(try disk.crash(keeping: .none).readWhole("/a", limit: 9) == [1])
    }

    @Test func faultsFireWhereTheySay() throws {
        let disk = SimulatedFileSystem()
        let file = try disk.open("/a", .create)
        disk.failOperation(at: 1, with: .diskFull, operations: .write)
        try file.write([1].span, at: 0)
        let error = #expect(throws: StorageError.self) { try file.write([2].span, at: 1) }
        #expect(error?.code == .diskFull && error?.path == "/a" && error?.offset == 1)
        try file.write([3].span, at: 2)
        #expect(try disk.readWhole("/a", limit: 9) == [1, 0, 3])
        disk.inject(Fault(at: 0, of: .write, sticky: true, effect: .writesPrefix(2)))
        for _ in 0..<3 { #expect(throws: StorageError.self) { try file.write([7, 8, 9].span, at: 0) } }
        #expect(try disk.readWhole("/a", limit: 9) == [7, 8, 3])
        #expect(disk.failureCount == 4)
        disk.clearFaults()
        try file.write([1].span, at: 0)
    }

    @Test func aPowerCutRefusesEverything() throws {
        let disk = SimulatedFileSystem()
        let file = try disk.open("/a", .create)
        disk.cutPower(at: disk.changeCount + 1)
        try file.write([1].span, at: 0)
        #expect(!disk.isPowerCut)
        let error = #expect(throws: StorageError.self) { try file.sync() }
        #expect(error.map(SimulatedFileSystem.isPowerCut) == true && disk.isPowerCut)
        #expect(!SimulatedFileSystem.isPowerCut(StorageError(.inputOutput, "read")))
        #expect(throws: StorageError.self) { _ = try file.size() }
        #expect(throws: StorageError.self) { _ = try disk.list("/") }
        #expect(throws: StorageError.self) { _ = try disk.open("/a", .read) }
        #expect(try disk.crash(keeping: .all).readWhole("/a", limit: 9) == [1])
    }
}
