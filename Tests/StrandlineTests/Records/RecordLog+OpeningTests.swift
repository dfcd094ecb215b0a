import EventLog
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

@Suite struct RecordLogOpeningTests {
    private func open(_ environment: Environment, readOnly: Bool = false, creates: Bool = true) async throws -> Store {
        var options = Store.Options()
        options.writesLogFiles = true
        options.isReadOnly = readOnly
        options.creates = creates
        return try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self, options: options)
    }

    private func lines(_ environment: Environment) throws -> [String] {
        try RecordText.lines(in: "/store/logs", environment.fileSystem)
    }

    @Test func anOpeningAndAnEndAreRecorded() async throws {
        let environment = Environment.inMemory()
        let store = try await open(environment)
        let replica = store.replica
        try await store.close()
        let lines = try lines(environment)
        #expect(lines.contains { $0.contains(#""kind":"opening","phase":"end""#) && $0.contains("\(replica)") })
        #expect(lines.last?.contains(#""kind":"closing","phase":"end""#) ?? false, "\(lines)")
    }

    @Test func inMemoryNothingIsRecordedUnlessAskedFor() async throws {
        let environment = Environment.inMemory()
        try await Store.open(.environment("/store", environment)).close()
        #expect(try !environment.fileSystem.list("/store").contains("logs"))
    }

    /// What recovery cut off, and where it is kept.
    @Test func aTornTailAndTheNewIdAreRecorded() async throws {
        let disk = SimulatedFileSystem()
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let store = try await open(environment)
        try await store.write { tx in _ = try tx.insert(Post(title: "a")) }
        let next = environment.rebooted(fileSystem: disk.crash(keeping: .all), seed: 2)
        try await store.close()
        let end = try EventLog.open(at: "/store", in: next, mode: .readOnly).durableState.position.offset
        let name = try #require(try next.fileSystem.list("/store/log").last)
        try next.fileSystem.open("/store/log/\(name)", .readWrite).write([UInt8](repeating: 5, count: 100).span, at: end)
        let again = try await open(next)
        #expect(again.recovery.quarantined != nil)
        let replica = again.replica
        try await again.close()
        let lines = try lines(next)
        #expect(lines.contains { $0.contains(#""kind":"quarantined""#) && $0.contains(#""file":"quarantine/"#) }, "\(lines)")
        #expect(lines.contains { $0.contains(#""kind":"newReplica""#) && $0.contains("\(replica)") }, "\(lines)")
    }

    /// A copy takes another id, and says so.
    @Test func aCopyIsRecorded() async throws {
        let environment = Environment.inMemory()
        let store = try await open(environment)
        try await store.backup(to: "/copy")
        try await store.close()
        #expect(try !environment.fileSystem.list("/copy").contains("logs"))
        var options = Store.Options()
        options.writesLogFiles = true
        let copy = try await Store.open(.environment("/copy", environment), options: options)
        try await copy.close()
        let lines = try RecordText.lines(in: "/copy/logs", environment.fileSystem)
        #expect(lines.contains { $0.contains(#""kind":"newReplica""#) && $0.contains("copied") }, "\(lines)")
    }

    @Test func aRefusalIsRecordedInAStoreAlone() async throws {
        let environment = Environment.inMemory()
        let files = environment.fileSystem
        try files.createDirectory("/store")
        await #expect(throws: StoreError.self) { try await open(environment, creates: false) }
        #expect(try files.list("/store").isEmpty)
        try await open(environment).close()
        let manifest = try files.open("/store/MANIFEST", .readWrite)
        try manifest.truncate(to: 10)
        manifest.close()
        await #expect(throws: StoreError.self) { try await open(environment, creates: false) }
        let last = try #require(try lines(environment).last)
        #expect(last.contains(#""kind":"opening","phase":"failed""#) && last.contains(#""file":"MANIFEST""#), "\(last)")
    }

    /// Who only looks leaves nothing, unless there is something to tell.
    @Test func readingIsNotRecorded() async throws {
        let environment = Environment.inMemory()
        try await open(environment).close()
        let before = try lines(environment)
        try await open(environment, readOnly: true).close()
        #expect(try lines(environment) == before)
    }

    /// Verifying, and whoever comes after, takes the files for what they are.
    @Test func logFilesAreNoFinding() async throws {
        let environment = Environment.inMemory()
        try await open(environment).close()
        let found = try await Store.verify(.environment("/store", environment))
        #expect(found.isSound && found.notes.isEmpty, "\(found.notes)")
    }
}
