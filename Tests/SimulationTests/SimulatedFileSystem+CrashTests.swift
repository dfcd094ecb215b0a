import Simulation
import Storage
import Testing

@Suite struct SimulatedFileSystemCrashTests {
    @Test func pagesVanishWithThePowerAndOutliveAProcess() throws {
        let disk = SimulatedFileSystem()
        let page = try disk.sharedPage("/page", words: 4)
        page.store(5, at: 2)
        try disk.syncDirectory("/")
        #expect(try disk.crash(keeping: .all).sharedPage("/page", words: 4).load(2) == 0)
        disk.killProcess()
        #expect(try disk.sharedPage("/page", words: 4).load(2) == 5)
    }

    @Test func killingAProcessEndsHandlesAndLocksAndKeepsBytes() throws {
        let disk = SimulatedFileSystem()
        let file = try disk.open("/a", .create)
        try file.write([1].span, at: 0)
        try file.lock()
        let watcher = try disk.watch("/")
        disk.cutPower(at: disk.changeCount)
        #expect(throws: StorageError.self) { try file.write([2].span, at: 1) }
        disk.killProcess()
        #expect(!disk.isPowerCut)
        #expect(throws: StorageError.self) { _ = try file.size() }
        #expect(!watcher.wait(milliseconds: 20_000))
        let next = try disk.open("/a", .readWrite)
        #expect(try next.tryLock())
        #expect(try next.size() == 1)
        file.close()
        #expect(try !disk.open("/a", .read).tryLock(), "a dead handle does not unlock for the living")
        #expect(try disk.crash(keeping: .none).list("/") == [], "what was unsynced is so still")
        try next.sync()
        try disk.syncDirectory("/")
        #expect(try disk.crash(keeping: .none).readWhole("/a", limit: 9) == [1])
    }

    @Test func clonesKeepOrChangeIdentity() throws {
        let disk = SimulatedFileSystem()
        try disk.createDirectories("/d")
        try disk.replace("/d/a", with: [1, 2])
        try disk.open("/d/a", .readWrite).write([3].span, at: 0)
        try disk.sharedPage("/d/page", words: 2).store(9, at: 1)
        let before = try #require(try disk.attributes(of: "/d/a"))

        let same = disk.clone(sameIdentity: true)
        #expect(try same.attributes(of: "/d/a") == before)
        #expect(same.unsyncedCount == disk.unsyncedCount && same.unsyncedCount > 0)

        let copy = disk.clone(sameIdentity: false)
        let after = try #require(try copy.attributes(of: "/d/a"))
        #expect(after.inode != before.inode && after.birth != before.birth && after.fileSystem != before.fileSystem)
        #expect(after.size == before.size && copy.unsyncedCount == 0)
        #expect(try disk.clone(sameIdentity: false).attributes(of: "/d/a")?.fileSystem != after.fileSystem)

        for clone in [same, copy] {
            #expect(try clone.readWhole("/d/a", limit: 9) == [3, 2])
            #expect(try clone.sharedPage("/d/page", words: 2).load(1) == 9)
            try clone.remove("/d/a")
        }
        #expect(try disk.readWhole("/d/a", limit: 9) == [3, 2])
    }

    @Test func attributesSurviveWithWhatIsDurable() throws {
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: [1])
        let before = try disk.attributes(of: "/a")
        let image = disk.crash(keeping: .none)
        #expect(try image.attributes(of: "/a") == before)
        try image.replace("/b", with: [2])
        let new = try #require(try image.attributes(of: "/b"))
        #expect(new.inode > before?.inode ?? 0 && new.birth > before?.birth ?? 0, "numbers are never used twice")
    }

    @Test func aCrashedImageCrashesAgain() throws {
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: [1])
        try disk.open("/a", .readWrite).write([2].span, at: 0)
        let image = disk.crash(keeping: .all)
        #expect(image.unsyncedCount == 0)
        try image.open("/a", .readWrite).write([3].span, at: 0)
        #expect(try image.crash(keeping: .none).readWhole("/a", limit: 9) == [2])
    }
}
