import SampleModel
import Simulation
import Storage
import Strandline
import Synchronization
import Testing

@Suite struct CommitQueueTests {
    /// What the syncs of a disk wait for.
    private final class Gate: Sendable {
        let isArmed = Atomic(false)
        let syncs = Atomic(0)
        let hasFirstReturned = Atomic(false)
        let isFirstSynced = WakeSignal()
        let isSecondSynced = WakeSignal()

        /// The first sync and the second last until the test lets them end.
        func pass() {
            guard isArmed.load(ordering: .acquiring) else { return }
            switch syncs.add(1, ordering: .acquiringAndReleasing).newValue {
            case 1: isFirstSynced.wait(past: 0)
            case 2: isSecondSynced.wait(past: 0)
            default: break
            }
        }

        func open() {
            isFirstSynced.advance()
            isSecondSynced.advance()
        }
    }

    /// A commit is over when its own group is durable, however many are written meanwhile.
    @Test func aCommitDoesNotWaitForTheNextGroup() async throws {
        let gate = Gate()
        let environment = Environment.inMemory()
        var hooked = environment
        hooked.fileSystem = HookedFileSystem(environment.fileSystem, onSync: { gate.pass() })
        let store = try await Store.open(.environment("/store", hooked), Post.self, Attachment.self, ImageData.self)
        try await store.write { tx in _ = try tx.insert(Post(title: "before")) }
        gate.isArmed.store(true, ordering: .releasing)
        defer { gate.open() }
        let first = Task {
            try await store.write { tx in _ = try tx.insert(Post(title: "first")) }
            gate.hasFirstReturned.store(true, ordering: .releasing)
        }
        try await waitUntil { gate.syncs.load(ordering: .acquiring) == 1 }
        let second = Task { try await store.write { tx in _ = try tx.insert(Post(title: "second")) } }
        // It can be seen as soon as it is written.
        try await waitUntil { try store.count(Post.all) == 3 }
        gate.isFirstSynced.advance()
        try await waitUntil { gate.hasFirstReturned.load(ordering: .acquiring) }
        gate.isSecondSynced.advance()
        try await first.value
        _ = try await second.value
        let syncs = gate.syncs.load(ordering: .acquiring)
        #expect(syncs == 2)
        try await store.close()
    }
}
