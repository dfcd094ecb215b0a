import Foundation
import SampleModel
import Simulation
import Storage
import Strandline
import Synchronization
import Testing

/// Stores that stay in sync over a folder by themselves.
@Suite struct FolderFollowerTests {
    /// An hour: whatever comes sooner was heard of.
    private static let never = 3_600_000

    private func open(_ environment: Environment, _ path: String, joining dataset: DatasetID? = nil) async throws -> Store {
        var options = Store.Options()
        options.dataset = dataset
        return try await Store.open(
            .environment(path, environment), Post.self, Attachment.self, ImageData.self, options: options)
    }

    private func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "w-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: directory + "/shared", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try await body(directory)
    }

    /// By the system's notices where there are any, and by looking where there are none.
    @Test(arguments: [true, false]) func bothSidesHearOfEveryCommit(isHeard: Bool) async throws {
        try await withFolder { (directory: String) async throws in
            var environment = Environment.system
            if !isHeard { environment.fileSystem = DeafFileSystem() }
            let interval = isHeard ? Self.never : 20
            let left = try await open(environment, directory + "/left")
            let right = try await open(environment, directory + "/right", joining: left.dataset)
            let folder = SyncPeer.folder(path: directory + "/shared")
            let replications = [
                try await left.replicate(with: folder, folderInterval: interval),
                try await right.replicate(with: folder, folderInterval: interval),
            ]
            for round in 1...4 {
                let events = right.syncEvents()
                try await left.write { tx in
                    let post = try tx.insert(Post(title: "left \(round)"))
                    let attachment = try tx.insert(Attachment(name: "a", post: post.id))
                    let bytes = [UInt8](repeating: UInt8(round), count: 100_000)
                    _ = try tx.insert(ImageData(data: Blob(bytes), attachment: attachment.id))
                }
                try await right.write { tx in _ = try tx.insert(Post(title: "right \(round)")) }
                try await waitUntil { try [left, right].allSatisfy { try $0.count(Post.all) == 2 * round } }
                // Heard since before the write, so that none is missed.
                var imported: SyncEvent?
                for await event in events where event.kind == .import && event.ended != nil {
                    imported = event
                    break
                }
                #expect(imported?.succeeded ?? false)
            }
            try await waitUntil { try left.digest() == right.digest() }
            let sizes = try right.fetch(ImageData.all).map { try $0.data.read().count }
            #expect(sizes == [100_000, 100_000, 100_000, 100_000])
            for replication in replications { replication.stop() }
            try await waitUntil {
                replications.allSatisfy { if case .stopped(nil) = $0.phase { true } else { false } }
            }
            try await left.write { tx in _ = try tx.insert(Post(title: "afterwards")) }
            #expect(try right.count(Post.all) == 8)
            try await left.close()
            try await right.close()
        }
    }

    /// Many small commits make few files.
    @Test func commitsThatComeTogetherArePublishedTogether() async throws {
        try await withFolder { (directory: String) async throws in
            let store = try await open(.system, directory + "/left")
            let replication = try await store.replicate(with: .folder(path: directory + "/shared"), folderInterval: Self.never)
            try await waitUntil { if case .connected = replication.phase { true } else { false } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask { try await store.write { tx in _ = try tx.insert(Post(title: "\(number)")) } }
                }
                try await group.waitForAll()
            }
            let subfolder = "\(directory)/shared/\(store.dataset)/r/\(store.replica)"
            func published() throws -> [(first: Int, last: Int)] {
                try FileManager.default.contentsOfDirectory(atPath: subfolder).filter { $0.hasSuffix(".strdx") }.map { name in
                    let fields = name.split(separator: "-")
                    return (Int(fields[1], radix: 16) ?? 0, Int(fields[2], radix: 16) ?? 0)
                }
            }
            let last = Int(store.token.vector.sequence(of: store.replica))
            try await waitUntil { try published().contains { $0.last == last } }
            let count = try published().count
            #expect(count < 20)
            replication.stop()
            try await store.close()
        }
    }

    @Test func aFolderThatGoesAwayIsWaitedFor() async throws {
        try await withFolder { (directory: String) async throws in
            let (shared, away) = (directory + "/shared", directory + "/away")
            let store = try await open(.system, directory + "/left")
            let replication = try await store.replicate(with: .folder(path: shared), folderInterval: 20)
            try await waitUntil { if case .connected = replication.phase { true } else { false } }
            try FileManager.default.moveItem(atPath: shared, toPath: away)
            try await waitUntil {
                if case .waiting(let error) = replication.phase {
                    error.code == .notFound && error.description.contains(shared)
                } else {
                    false
                }
            }
            try await store.write { tx in _ = try tx.insert(Post(title: "meanwhile")) }
            try FileManager.default.moveItem(atPath: away, toPath: shared)
            let other = try await open(.system, directory + "/right", joining: store.dataset)
            for _ in 0..<200 where try other.count(Post.all) == 0 {
                try await other.sync(with: .folder(path: shared))
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try other.count(Post.all) == 1)
            replication.stop()
            for store in [store, other] { try await store.close() }
        }
    }

    @Test func aStoreIsNoFolder() async throws {
        try await withFolder { (directory: String) async throws in
            let store = try await open(.system, directory + "/left")
            let other = try await open(.system, directory + "/right", joining: store.dataset)
            var code: StoreError.Code?
            do {
                try await store.sync(with: .folder(path: directory + "/right"))
            } catch let error as StoreError {
                code = error.code
                #expect(error.description.contains(directory + "/right"))
            }
            #expect(code == .invalidOption)
            let replication = try await store.replicate(with: .folder(path: directory + "/right"))
            try await waitUntil {
                if case .stopped(let error?) = replication.phase { error.code == .invalidOption } else { false }
            }
            for store in [store, other] { try await store.close() }
        }
    }

    /// What was imported stays, what could not be published follows; the error says what to do.
    @Test(arguments: [(StorageError.Code.diskFull, "free space"), (.readOnlyFileSystem, "permissions"), (.inputOutput, "disk")])
    func aFolderThatCannotBeWritten(code: StorageError.Code, advice: String) async throws {
        let disk = SimulatedFileSystem()
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        try disk.createDirectory("/shared")
        let left = try await open(environment, "/left")
        let right = try await open(environment, "/right", joining: left.dataset)
        try await left.write { tx in _ = try tx.insert(Post(title: "left")) }
        try await left.sync(with: .folder(path: "/shared"))
        try await right.write { tx in _ = try tx.insert(Post(title: "right")) }
        disk.inject(Fault(at: 0, of: .createDirectory, with: code, sticky: true))
        var said = ""
        do {
            try await right.sync(with: .folder(path: "/shared"))
        } catch let error as StoreError {
            #expect(error.code == .storage)
            said = error.description
        }
        #expect(said.contains("/shared") && said.contains(advice))
        #expect(try right.count(Post.all) == 2)
        disk.clearFaults()
        try await right.sync(with: .folder(path: "/shared"))
        try await left.sync(with: .folder(path: "/shared"))
        #expect(try left.digest() == right.digest())
        for store in [left, right] { try await store.close() }
    }
}

/// Files on which nothing is heard of what happens, as on a network file system.
private final class DeafFileSystem: FileSystem {
    private final class Watcher: DirectoryWatcher {
        private let isCancelled = Mutex(false)

        func wait(milliseconds: Int) -> Bool {
            for _ in 0..<max(1, milliseconds / 10) where !isCancelled.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
            return false
        }

        func cancel() { isCancelled.withLock { $0 = true } }
    }

    private let files = POSIXFileSystem()

    func open(_ path: String, _ mode: OpenMode) throws(StorageError) -> any File { try files.open(path, mode) }
    func list(_ directory: String) throws(StorageError) -> [String] { try files.list(directory) }
    func createDirectory(_ path: String) throws(StorageError) { try files.createDirectory(path) }
    func rename(_ path: String, to newPath: String) throws(StorageError) { try files.rename(path, to: newPath) }
    func remove(_ path: String) throws(StorageError) { try files.remove(path) }
    func removeDirectory(_ path: String) throws(StorageError) { try files.removeDirectory(path) }
    func syncDirectory(_ path: String) throws(StorageError) { try files.syncDirectory(path) }
    func attributes(of path: String) throws(StorageError) -> FileAttributes? { try files.attributes(of: path) }
    func sharedPage(_ path: String, words: Int) throws(StorageError) -> any SharedPage {
        try files.sharedPage(path, words: words)
    }
    func watch(_ directory: String) throws(StorageError) -> any DirectoryWatcher { Watcher() }
}
