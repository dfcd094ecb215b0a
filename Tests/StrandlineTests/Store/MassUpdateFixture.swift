import SampleModel
import Simulation
import Storage
import Strandline
import Testing

/// Stores that rewrite runs for updates of few objects already.
struct MassUpdateFixture {
    func open(
        _ disk: SimulatedFileSystem, seed: UInt64 = 1, isMass: Bool = true, memory: Int = 4_000
    ) async throws -> Store {
        var environment = Environment.simulated(seed: 3, fileSystem: disk)
        environment.random = SeededRandom(seed: seed)
        var options = Store.Options()
        options.projection.memory = memory
        options.projection.rest = 0
        options.projection.massUpdate = isMass ? 16 : .max
        return try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self, options: options)
    }

    /// Forty posts in a run, half of them with few views.
    func initial() async throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        let store = try await open(disk, memory: 1 << 20)
        try await store.write { tx in
            for number in 0..<40 { try tx.insert(Post(title: "p", content: "before", views: number)) }
        }
        try await store.compact()
        try await store.close()
        return disk
    }

    func update(_ store: Store) async throws {
        try await store.update(
            of: "Post", where: try Filter("views < 20"), set: [PropertyValue(Property("content", .string), .string("after"))])
    }

    func changed(_ store: Store) throws -> Int {
        let posts = try store.fetch(Post.all)
        let changed = posts.filter { $0.content == "after" }
        #expect(posts.count == 40 && changed.allSatisfy { $0.views < 20 })
        return changed.count
    }
}
