import SampleModel
import Simulation
import Storage
import Strandline
import Testing

/// A disk that fails under a write, and once more while the store finds out what is left.
@Suite struct StoreFaultTests {
    private func open(_ disk: SimulatedFileSystem) async throws -> Store {
        var environment = Environment.simulated(seed: 3, fileSystem: disk)
        environment.random = SeededRandom(seed: 4)
        return try await Store.open(.environment("/store", environment), Post.self, Attachment.self, ImageData.self)
    }

    /// The sync of a commit fails, and with it each of the reads that follow in turn.
    @Test func whatAFailedWriteTookAwayIsNotSeen() async throws {
        let initial = SimulatedFileSystem()
        let made = try await open(initial)
        try await made.write { tx in _ = try tx.insert(Post(title: "first")) }
        try await made.close()
        var failedTwice = 0
        for index in 0..<40 {
            let disk = initial.clone(sameIdentity: true)
            let store = try await open(disk)
            try await store.write { tx in _ = try tx.insert(Post(title: "second")) }
            let (digest, token) = (try store.digest(), store.token)
            disk.inject(Fault(at: 0, of: .sync, effect: .losesUnsynced))
            disk.inject(Fault(at: index, of: .read))
            await #expect(throws: StoreError.self) {
                try await store.write { tx in _ = try tx.insert(Post(title: "lost")) }
            }
            let failures = disk.failureCount
            disk.clearFaults()
            #expect(store.token == token)
            #expect(try store.digest() == digest, "read \(index)")
            #expect(Set(try store.fetch(Post.all).map(\.title)) == ["first", "second"], "read \(index)")
            if (try? await store.write { tx in _ = try tx.insert(Post(title: "third")) }) != nil {
                #expect(try store.count(Post.all) == 3, "read \(index)")
            } else {
                #expect(failures == 2, "a store that knows where it stands takes writes")
            }
            try? await store.close()
            if failures == 2 { failedTwice += 1 }
        }
        #expect(failedTwice > 3)
    }

    /// From some call on the disk answers nothing any more: every write is told what became of it, and the store can be closed.
    @Test func aDiskThatIsGoneLeavesNobodyWaiting() async throws {
        let initial = SimulatedFileSystem()
        let made = try await open(initial)
        try await made.write { tx in _ = try tx.insert(Post(title: "first")) }
        try await made.close()
        var (failed, written) = (0, 0)
        for change in 0..<60 {
            let disk = initial.clone(sameIdentity: true)
            disk.cutPower(at: change)
            guard let store = try? await open(disk) else { continue }
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for number in 0..<3 {
                            let title = "\(writer) \(number)"
                            let isWritten = (try? await store.write { tx in _ = try tx.insert(Post(title: title)) }) != nil
                            guard isWritten else { return false }
                        }
                        return true
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            try? await store.close()
            failed += outcomes.count { !$0 }
            written += outcomes.count { $0 }
        }
        #expect(failed > 20 && written > 20, "\(failed) failed, \(written) written")
    }
}
