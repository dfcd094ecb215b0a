import EventLog
import Projection
import SampleModel
import Storage
import Strandline
import Testing

@Suite struct StoreRunsTests {
    private func withStore(_ body: (Store, Environment) async throws -> Void) async throws {
        let environment = Environment.inMemory()
        let store = try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self,
            options: LiveStateRunsTests.options())
        var script = PostScript(seed: 5)
        for _ in 0..<40 { try await script.step(store) }
        try await body(store, environment)
        try await script.check(store)
        #expect(try await store.verifyState().isSound)
        try await store.close()
    }

    private func runs(_ environment: Environment) throws -> [String] {
        try environment.fileSystem.list("/store/runs").filter { $0.hasSuffix(".run") }
    }

    @Test func compactionLeavesOneRun() async throws {
        try await withStore { store, environment in
            let digest = try store.digest()
            try await store.compact()
            #expect(try runs(environment).count == 1)
            #expect(try store.digest() == digest)
            // Once more there is nothing to do.
            try await store.compact()
            #expect(try runs(environment).count == 1)
        }
    }

    @Test func rebuildingGivesTheSame() async throws {
        try await withStore { store, environment in
            let digest = try store.digest()
            let before = try runs(environment)
            try await store.rebuild()
            #expect(try store.digest() == digest)
            #expect(Set(try runs(environment)).isDisjoint(with: before))
        }
    }

    @Test func aSnapshotOutlivesCompaction() async throws {
        try await withStore { store, _ in
            let snapshot = try store.snapshot()
            let (digest, count) = (try snapshot.digest(), try snapshot.count(Post.all))
            try await store.write { tx in _ = try tx.delete(Post.all) }
            try await store.compact()
            #expect(try snapshot.digest() == digest)
            #expect(try snapshot.count(Post.all) == count)
            #expect(try store.count(Post.all) == 0)
            try await store.undoLast()
        }
    }
}

extension Store {
    /// Takes the last transaction back.
    fileprivate func undoLast() async throws {
        var last: Transaction?
        for try await transaction in history() { last = transaction }
        if let header = last?.header { _ = try await undo(header.origin, header.sequence) }
    }
}
