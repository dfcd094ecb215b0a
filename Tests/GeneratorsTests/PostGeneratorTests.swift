import Generators
import SampleModel
import Storage
import Strandline
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct PostGeneratorTests {
    @Test func theSameSeedMakesTheSameContent() async throws {
        var digests: [String] = []
        for (seed, batch) in [(7, 10), (7, 10), (8, 10)] {
            let store = try await openStore()
            var generator = PostGenerator(count: 25, seed: UInt64(seed))
            generator.batch = batch
            let progress = Steps()
            #expect(try await generator.generate(into: store) { progress.add($0.objects) } == generator.total)
            #expect(progress.values == [10, 20, 25])
            #expect(try await generator.verify(in: store) == generator.total)
            digests.append(try store.contentDigest())
            try await store.close()
        }
        #expect(digests[0] == digests[1])
        #expect(digests[0] != digests[2])
    }

    @Test func postsLookLikePosts() async throws {
        let store = try await openStore()
        try await PostGenerator(count: 300).generate(into: store)
        let posts = try store.fetch(Post.all)
        #expect(posts.allSatisfy { $0.content.utf8.count == 70 && $0.title.contains(" ") && (0..<10_000).contains($0.views) })
        #expect(Set(posts.map(\.code)).count == 300)
        #expect(Set(posts.map(\.title)).count > 250)
        #expect(posts.allSatisfy { $0.code?.uuidString.dropFirst(14).first == "4" })
        #expect(Set(posts.map(\.views)).count > 200)
        var transactions = 0
        for try await transaction in store.history() where transaction.header.author == "generator" { transactions += 1 }
        #expect(transactions == 1)
        try await store.close()
    }

    @Test func whatWasChangedIsFound() async throws {
        let store = try await openStore()
        let generator = PostGenerator(count: 5)
        try await generator.generate(into: store)
        let ids = try store.ids(of: Post.all)
        try await store.write { tx in try tx.update(ids[3]) { $0.views += 1 } }
        let changed = await #expect(throws: GeneratorError.self) { try await generator.verify(in: store) }
        #expect(changed?.code == .mismatch && changed?.description.contains("post 3 ") == true)
        try await store.write { tx in
            try tx.update(ids[3]) { $0.views -= 1 }
            try tx.delete(ids[1])
        }
        let missing = await #expect(throws: GeneratorError.self) { try await generator.verify(in: store) }
        #expect(missing?.description.hasPrefix("1 of 5 posts are missing, the first of them post 1 ") == true)
        try await store.close()
    }

    @Test func theSameSeedTwiceIsRefused() async throws {
        let store = try await openStore()
        try await PostGenerator(count: 5).generate(into: store)
        let error = await #expect(throws: GeneratorError.self) { try await PostGenerator(count: 5).generate(into: store) }
        #expect(error?.code == .alreadyGenerated)
        try await PostGenerator(count: 5, seed: 2).generate(into: store)
        #expect(try await PostGenerator(count: 5).verify(in: store).objects == 5)
        #expect(try store.count(Post.all) == 10)
        try await store.close()
    }

    @Test func cancellingStopsBetweenTransactions() async throws {
        let store = try await openStore()
        let task = Task {
            var generator = PostGenerator(count: 100)
            generator.batch = 10
            return try await generator.generate(into: store) { summary in
                if summary.objects == 20 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try store.count(Post.all) == 20)
        try await store.close()
    }
}
