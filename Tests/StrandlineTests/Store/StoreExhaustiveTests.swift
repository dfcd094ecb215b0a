import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

/// A store whose disk fails, or loses power, at every call in turn.
@Suite struct StoreExhaustiveTests {
    private func open(_ disk: SimulatedFileSystem, seed: UInt64 = 1) async throws -> Store {
        var environment = Environment.simulated(seed: 3, fileSystem: disk)
        environment.random = SeededRandom(seed: seed)
        return try await Store.open(.environment("/store", environment), Post.self, Attachment.self, ImageData.self)
    }

    private func initial() async throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        let store = try await open(disk)
        try await store.write { tx in _ = try tx.insert(Post(title: "first")) }
        try await store.close()
        return disk
    }

    /// What a run was told.
    private final class Told {
        var acknowledged: Set<String> = ["first"]
        var unknown: Set<String> = []
    }

    /// Writes three posts, one after the other, noting what became of each, and looks after each at what the store shows.
    private func write(_ store: Store, _ told: Told) async {
        for title in ["a", "b", "c"] {
            do {
                try await store.write { tx in
                    let post = try tx.insert(Post(title: title))
                    try tx.insert(Attachment(name: title, post: post.id))
                }
                told.acknowledged.insert(title)
            } catch {
                told.unknown.insert(title)
            }
            guard let seen = try? store.fetch(Post.all) else { continue }
            let titles = Set(seen.map(\.title))
            #expect(titles.isSuperset(of: told.acknowledged), "what was acknowledged is seen")
            #expect(titles.isSubset(of: told.acknowledged.union(told.unknown)), "nothing else is")
        }
    }

    private func check(_ disk: SimulatedFileSystem, _ told: Told) async throws {
        let store = try await open(disk, seed: 99)
        let posts = try store.fetch(Post.all)
        let titles = Set(posts.map(\.title))
        #expect(titles.count == posts.count, "no post is there twice")
        #expect(titles.isSuperset(of: told.acknowledged))
        #expect(titles.isSubset(of: told.acknowledged.union(told.unknown)))
        for post in posts where post.title != "first" {
            #expect(post.attachments.count == 1, "no transaction is there by half")
        }
        try await store.write { tx in _ = try tx.insert(Post(title: "after")) }
        try await store.close()
    }

    @Test func whatIsSeenIsWhatTheLogHas() async throws {
        let disk = try await initial()
        var told = Told()
        let tried = try await forEachFailure(from: disk) { disk in
            told = Told()
            let store = try await open(disk, seed: 2)
            await write(store, told)
            // What the store shows is what anybody who opens it anew finds.
            let shown = try? store.digest()
            try? await store.close()
            disk.clearFaults()
            guard let shown else { return }
            let again = try await open(disk, seed: 3)
            #expect(try again.digest() == shown)
            try await again.close()
        } verify: { disk, _ in
            disk.clearFaults()
            try await check(disk, told)
        }
        // How many calls there are depends on how often the idle store gives its lock back meanwhile.
        #expect(tried > 60)
    }

    @Test func powerCutsLeaveWhatWasAcknowledged() async throws {
        let disk = try await initial()
        var told = Told()
        let tried = try await forEachPowerCut(from: disk, seeds: 1, limit: 4) { disk in
            told = Told()
            let store = try await open(disk, seed: 2)
            await write(store, told)
            try await store.close()
        } verify: { image, _ in
            try await check(image, told)
        }
        #expect(tried > 50)
    }
}
