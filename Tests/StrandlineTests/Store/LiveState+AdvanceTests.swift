import EventLog
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

@Suite struct LiveStateAdvanceTests {
    private let environment = Environment.inMemory()

    private func open(_ name: String, _ dataset: DatasetID? = nil) async throws -> Store {
        var options = LiveStateRunsTests.options(memory: 50_000)
        options.dataset = dataset
        return try await Store.open(
            .environment("/\(name)", environment), Post.self, Attachment.self, ImageData.self, options: options)
    }

    /// So many that what they change is brought into memory in the order of the runs first.
    @Test func manyUpdatesOfObjectsInRunsAreTheSameWhereTheyArrive() async throws {
        try environment.fileSystem.createDirectory("/shared")
        let writer = try await open("writer")
        let reader = try await open("reader", writer.dataset)
        let ids = try await writer.write { tx in
            try (0..<3_000).map { try tx.insert(Post(title: "post \($0)", views: $0)).id }
        }.value
        try await writer.sync(with: .folder(path: "/shared"))
        try await reader.sync(with: .folder(path: "/shared"))
        // In runs, and changed there by the reader too.
        try await reader.compact()
        try await reader.write { tx in for id in ids[..<100] { try tx.update(id) { $0.content = "read" } } }

        var random = SplitMix64(seed: 11)
        let mixed = ids.shuffled(using: &random)
        for start in stride(from: 0, to: 2_400, by: 40) {
            try await writer.write { tx in
                for id in mixed[start..<start + 40] { try tx.update(id) { $0.views += 1_000_000 } }
                try tx.insert(Post(title: "new \(start)"))
                if start % 400 == 0 { try tx.delete(mixed[2_999 - start / 40]) }
            }
        }
        try await writer.sync(with: .folder(path: "/shared"))
        try await reader.sync(with: .folder(path: "/shared"))
        try await writer.sync(with: .folder(path: "/shared"))
        #expect(try reader.digest() == writer.digest())
        #expect(try reader.count(Post.where { $0.views >= 1_000_000 }) == 2_400)
        #expect(try reader.count(Post.where { $0.content == "read" }) == writer.count(Post.where { $0.content == "read" }))
        #expect(try await reader.verifyState().isSound)
        try await reader.close()
        let again = try await open("reader")
        #expect(try again.digest() == writer.digest())
        try await again.close()
        try await writer.close()
    }
}
