import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

/// A store whose disk fails, or loses power, at every call in turn.
@Suite struct StoreExhaustiveTests {
    /// What stays in memory, or goes to runs with each transaction.
    enum Home: CaseIterable { case memory, runs }

    private func open(_ disk: SimulatedFileSystem, _ home: Home, seed: UInt64 = 1) async throws -> Store {
        var environment = Environment.simulated(seed: 3, fileSystem: disk)
        environment.random = SeededRandom(seed: seed)
        var options = Store.Options()
        if home == .runs {
            options.projection.memory = 100
            options.projection.rest = 0
        }
        return try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self, options: options)
    }

    private func initial(_ home: Home) async throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        let store = try await open(disk, home)
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

    private func check(_ disk: SimulatedFileSystem, _ home: Home, _ told: Told) async throws {
        let store = try await open(disk, home, seed: 99)
        #expect(try await store.verifyState().isSound)
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

    @Test(arguments: Home.allCases) func whatIsSeenIsWhatTheLogHas(_ home: Home) async throws {
        let disk = try await initial(home)
        var told = Told()
        let tried = try await forEachFailure(from: disk) { disk in
            told = Told()
            let store = try await open(disk, home, seed: 2)
            await write(store, told)
            // What the store shows is what anybody who opens it anew finds.
            let shown = try? store.digest()
            try? await store.close()
            disk.clearFaults()
            guard let shown else { return }
            let again = try await open(disk, home, seed: 3)
            #expect(try again.digest() == shown)
            try await again.close()
        } verify: { disk, _ in
            disk.clearFaults()
            try await check(disk, home, told)
        }
        // How many calls there are depends on how often the idle store gives its lock back meanwhile.
        #expect(tried > 60)
    }

    @Test(arguments: Home.allCases) func powerCutsLeaveWhatWasAcknowledged(_ home: Home) async throws {
        let disk = try await initial(home)
        var told = Told()
        let tried = try await forEachPowerCut(from: disk, seeds: 1, limit: 4) { disk in
            told = Told()
            let store = try await open(disk, home, seed: 2)
            await write(store, told)
            try await store.close()
        } verify: { image, _ in
            try await check(image, home, told)
        }
        #expect(tried > 50)
    }
}
