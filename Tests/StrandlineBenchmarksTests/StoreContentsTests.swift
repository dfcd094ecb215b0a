import Foundation
import Storage
import Strandline
import StrandlineBenchmarks
import Testing

@Suite("What is read back from a store")
struct StoreContentsTests {
    private let workload = Workload()

    private func complaint(_ posts: [KeyedPost], count: UInt64) throws -> String? {
        let contents = try StoreContents(posts)
        do {
            _ = try contents.hash(of: workload, count: count)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("is compared with what was written: a post lost, doubled or changed is noticed")
    func comparison() throws {
        var posts = (UInt64(0)..<5).map { KeyedPost(workload.post($0)) }
        #expect(try complaint(posts, count: 5) == nil)
        #expect(try complaint(posts, count: 6) == "there should be 6 posts but 5 are there")
        posts[3].date.addTimeInterval(0.001)
        #expect(try complaint(posts, count: 5) == "the posts fetched differ from those written")
        posts[3] = posts[2]
        #expect(try complaint(posts, count: 5) == "the posts fetched differ from those written")
    }

    @Test("may hold more than what is compared with others, and posts that were changed")
    func changes() throws {
        var posts = (UInt64(0)..<5).map { KeyedPost(workload.post($0)) }
        let three = try StoreContents(Array(posts[..<3])).hash(of: workload, count: 3)
        #expect(try StoreContents(posts).hash(of: workload, count: 5, extra: 3) == three)
        posts[1].views = 7
        let changed = try StoreContents(posts).hash(of: workload, count: 5) { index, post in if index == 1 { post.views = 7 } }
        #expect(try StoreContents(posts).hash == changed)
    }

    @Test("is the same in pieces", arguments: [1, 3, 7, 100])
    func pieces(most: Int) async throws {
        let store = try await Store.open(.inMemory, PlainPost.self)
        var posts = (UInt64(0)..<20).map { PlainPost(workload.post($0)) }
        posts[3].views = Int(Workload.viewsEnd) + 5
        posts[4].views = 3 * Int(Workload.viewsEnd)
        let written = posts
        try await store.write { tx in for post in written { try tx.insert(post) } }
        #expect(try StoreContents<PlainPost>(of: store, atOnce: most).hash == StoreContents(posts).hash)
        try await store.close()
    }

    @Test("a post without its key is none")
    func keyless() {
        #expect(throws: BenchmarkError.self) { _ = try StoreContents([KeyedPost()]) }
    }
}
