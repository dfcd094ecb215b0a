import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

@Suite struct StoreTrimExhaustiveTests {
    /// How many histories are tried.
    #if DEBUG
    private static let histories: UInt64 = 300
    #else
    private static let histories: UInt64 = 2_000
    #endif

    @Test func manyHistoriesWithoutForksMeanWhatTheyDoUntrimmed() async throws {
        let tally = try await withThrowingTaskGroup(of: TrimTrial.Tally.self) { group in
            for task in 0..<4 as Range<UInt64> {
                group.addTask {
                    var tally = TrimTrial.Tally()
                    for seed in stride(from: 1_000 + task, to: 1_000 + Self.histories, by: 4) {
                        try await TrimTrial(seed: seed).run(&tally, forks: false)
                    }
                    return tally
                }
            }
            var all = TrimTrial.Tally()
            for try await tally in group { all += tally }
            return all
        }
        print("trimmed histories: \(tally)")
        #expect(tally.trims > Self.histories / 4 && tally.late > Self.histories / 4)
        #expect(tally.differences.prefix(10) == [])
    }

    private func open(_ disk: SimulatedFileSystem, seed: UInt64) async throws -> Store {
        var environment = Environment.simulated(seed: 3, fileSystem: disk)
        environment.random = SeededRandom(seed: seed)
        return try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self,
            options: LiveStateRunsTests.options())
    }

    /// A store with a history, and its digest.
    private func initial() async throws -> (disk: SimulatedFileSystem, digest: String) {
        let disk = SimulatedFileSystem()
        let store = try await open(disk, seed: 1)
        for round in 0..<4 {
            try await store.write { tx in
                let post = try tx.insert(Post(title: "\(round)"))
                try tx.insert(Attachment(name: "\(round)", post: post.id))
            }
        }
        let digest = try store.digest()
        try await store.close()
        return (disk, digest)
    }

    private func check(_ disk: SimulatedFileSystem, _ digest: String) async throws {
        let store = try await open(disk, seed: 99)
        #expect(try store.digest() == digest)
        #expect(try await store.verifyState().isSound)
        #expect(try await store.verify().isSound)
        try await store.write { tx in _ = try tx.insert(Post(title: "after")) }
        #expect(try store.count(Post.all) == 5)
        try await store.close()
    }

    @Test func aPowerCutChangesNothingThatCanBeSeen() async throws {
        let (disk, digest) = try await initial()
        let tried = try await forEachPowerCut(from: disk, seeds: 1, limit: 4) { disk in
            let store = try await open(disk, seed: 2)
            _ = try await store.trim(before: store.token)
            try await store.close()
        } verify: { image, _ in
            try await check(image, digest)
        }
        #expect(tried > 30)
    }

    @Test func aFailureChangesNothingThatCanBeSeen() async throws {
        let (disk, digest) = try await initial()
        let tried = try await forEachFailure(from: disk) { disk in
            let store = try await open(disk, seed: 2)
            _ = try? await store.trim(before: store.token)
            // Whatever became of it, the store answers as before.
            if let shown = try? store.digest() { #expect(shown == digest) }
            try? await store.close()
        } verify: { disk, _ in
            disk.clearFaults()
            try await check(disk, digest)
        }
        #expect(tried > 60)
    }
}
