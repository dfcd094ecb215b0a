import Foundation
import SampleModel
import Simulation
import Storage
import Strandline
import Testing
import Transports

@Suite struct SyncNotesTests {
    private let environment = Environment.inMemory()

    private func open(_ path: String, joining dataset: DatasetID? = nil) async throws -> Store {
        var options = Store.Options()
        options.dataset = dataset
        options.writesLogFiles = true
        return try await Store.open(
            .environment(path, environment), Post.self, Attachment.self, ImageData.self, options: options)
    }

    private func lines(_ path: String) throws -> [String] {
        try RecordText.lines(in: path + "/logs", environment.fileSystem)
    }

    @Test func exchangesOverAFolderAreRecorded() async throws {
        try environment.fileSystem.createDirectory("/shared")
        let left = try await open("/left")
        let right = try await open("/right", joining: left.dataset)
        try await left.write { tx in _ = try tx.insert(Post(title: "a")) }
        try await left.sync(with: .folder(path: "/shared"))
        try await right.sync(with: .folder(path: "/shared"))
        try await left.close()
        try await right.close()
        #expect(try lines("/left").contains { $0.contains(#""kind":"exported""#) && $0.contains(#""peer":"folder:/shared""#) })
        let imported = try lines("/right").filter { $0.contains(#""kind":"imported""#) }
        #expect(imported.contains { $0.contains(#""transactions":2"#) }, "\(imported)")
    }

    @Test func aFolderThatIsNotThereIsRecorded() async throws {
        let store = try await open("/left")
        await #expect(throws: StoreError.self) { try await store.sync(with: .folder(path: "/nowhere")) }
        try await store.close()
        let lines = try lines("/left")
        #expect(lines.contains { $0.contains(#""category":"sync""#) && $0.contains(#""error":"notFound""#) }, "\(lines)")
    }

    /// Both ends of a connection: met, what was exchanged, and how it ended.
    @Test func aConnectionIsRecordedFromItsBeginningToItsEnd() async throws {
        try await withSocket { (socket: String) async throws in
            let hub = try await open("/hub")
            let other = try await open("/other", joining: hub.dataset)
            try await hub.write { tx in _ = try tx.insert(Post(title: "a")) }
            let server = try await hub.serve(on: UnixListener(path: socket))
            try await other.sync(with: .unix(path: socket))
            let replica = hub.replica
            server.stop()
            try await other.close()
            try await hub.close()
            let here = try lines("/other")
            for kind in ["connecting", "peerConnected", "imported", "peerEnded"] {
                #expect(
                    here.contains { $0.contains("\"kind\":\"\(kind)\"") && $0.contains("\"peer\":\"unix:") }, "\(kind): \(here)"
                )
            }
            #expect(here.contains { $0.contains(#""kind":"peerEnded""#) && $0.contains("\(replica)") })
            #expect(try lines("/hub").contains { $0.contains(#""kind":"listening""#) })
            #expect(try lines("/hub").contains { $0.contains(#""kind":"peerEnded""#) && $0.contains(#""transactionsSent":2"#) })
        }
    }

    @Test func strangersAreRecorded() async throws {
        try await withSocket { (socket: String) async throws in
            let hub = try await open("/hub")
            let stranger = try await open("/stranger")
            for store in [hub, stranger] { try await store.write { tx in _ = try tx.insert(Post(title: "a")) } }
            try await hub.serve(on: UnixListener(path: socket))
            await #expect(throws: StoreError.self) { try await stranger.sync(with: .unix(path: socket)) }
            try await stranger.close()
            try await hub.close()
            let lines = try lines("/stranger")
            #expect(
                lines.contains { $0.contains(#""kind":"peerRefused""#) && $0.contains(#""error":"wrongDataset""#) }, "\(lines)")
        }
    }

    private func withSocket<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "r-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try await body(directory + "/socket")
    }
}
