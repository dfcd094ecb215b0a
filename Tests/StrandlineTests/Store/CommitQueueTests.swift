import SampleModel
import Simulation
import Storage
import Strandline
import Synchronization
import Testing

@Suite struct CommitQueueTests {
    /// What the syncs of a disk wait for, and what came of it.
    private final class Gate: Sendable {
        let isArmed = Atomic(false)
        let syncs = Atomic(0)
        let isSecondWritten = Atomic(false)
        let hasFirstReturned = Atomic(false)
        let isInTime = Atomic(true)

        /// The sync of the first commit lasts until the second is written, that of the second until the first has returned.
        func pass() {
            guard isArmed.load(ordering: .acquiring) else { return }
            switch syncs.add(1, ordering: .acquiringAndReleasing).newValue {
            case 1: if !wait({ isSecondWritten.load(ordering: .acquiring) }) { isInTime.store(false, ordering: .releasing) }
            case 2: if !wait({ hasFirstReturned.load(ordering: .acquiring) }) { isInTime.store(false, ordering: .releasing) }
            default: break
            }
        }

        private func wait(_ isDone: () -> Bool) -> Bool {
            let signal = WakeSignal()
            for _ in 0..<20_000 where !isDone() { signal.wait(past: 0, milliseconds: 1) }
            return isDone()
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
        let first = Task {
            try await store.write { tx in _ = try tx.insert(Post(title: "first")) }
            gate.hasFirstReturned.store(true, ordering: .releasing)
        }
        while gate.syncs.load(ordering: .acquiring) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        let second = Task { try await store.write { tx in _ = try tx.insert(Post(title: "second")) } }
        // It can be seen as soon as it is written.
        while try store.count(Post.all) < 3 { try await Task.sleep(for: .milliseconds(1)) }
        gate.isSecondWritten.store(true, ordering: .releasing)
        try await first.value
        _ = try await second.value
        let (isInTime, syncs) = (gate.isInTime.load(ordering: .acquiring), gate.syncs.load(ordering: .acquiring))
        #expect(isInTime)
        #expect(syncs == 2)
        try await store.close()
    }
}
