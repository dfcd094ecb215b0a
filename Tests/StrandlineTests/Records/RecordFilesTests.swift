import Simulation
import Storage
import Strandline
import Testing

@Suite struct RecordFilesTests {
    private let environment = Environment.inMemory()
    private var disk: any FileSystem { environment.fileSystem }

    private func files(_ bytes: Int = 1_000, _ count: Int = 3) throws -> RecordFiles {
        try disk.createDirectories("/store")
        var options = RecordOptions()
        options.fileBytes = bytes
        options.files = count
        return RecordFiles(in: "/store/logs", environment, options)
    }

    private func names() throws -> [String] { try RecordFiles.names(in: "/store/logs", disk) }
    private func line(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count - 1) + [0x0a] }

    @Test func whoComesLaterGoesOnWithTheFile() throws {
        var first = try files()
        try first.append(line(100))
        first.close()
        var second = try files()
        try second.append(line(100))
        second.close()
        #expect(try names().count == 1)
        #expect(try RecordText.lines(in: "/store/logs", disk).count == 2)
    }

    @Test func processesAtTheSameTimeHaveAFileEach() throws {
        var first = try files()
        var second = try files()
        try first.append(line(100))
        try second.append(line(100))
        try first.append(line(100))
        #expect(try names().count == 2)
        #expect(try RecordText.lines(in: "/store/logs", disk).map(\.utf8.count) == [99, 99, 99])
        // Whoever comes then goes on with the one that is free.
        first.close()
        var third = try files()
        try third.append(line(100))
        #expect(try names().count == 2)
        second.close()
        third.close()
    }

    @Test func fullFilesAreEndedAndTheOldestGo() throws {
        var files = try files(1_000, 3)
        for _ in 0..<100 { try files.append(line(300)) }
        files.close()
        #expect(try names().count == 3)
        for name in try names() { #expect(try disk.readWhole("/store/logs/\(name)", limit: 2_000).count <= 1_000) }
    }

    /// What another process writes to is not taken away.
    @Test func aFileInUseStays() throws {
        var used = try files(1_000, 2)
        try used.append(line(10))
        let name = try #require(try names().first)
        var files = try files(1_000, 2)
        for _ in 0..<20 { try files.append(line(900)) }
        #expect(try names().contains(name))
        try used.append(line(10))
        #expect(try disk.readWhole("/store/logs/\(name)", limit: 2_000).count == 20)
    }

    /// A process that died in the middle of a line leaves the line's beginning.
    @Test func halfALineIsCutOff() throws {
        var first = try files()
        try first.append(line(100))
        first.close()
        let path = "/store/logs/" + (try #require(try names().first))
        let file = try disk.open(path, .readWrite)
        try file.write([UInt8](repeating: 0x62, count: 50).span, at: 100)
        file.close()
        var second = try files()
        try second.append(line(20))
        second.close()
        #expect(try disk.readWhole(path, limit: 2_000) == line(100) + line(20))
    }
}
