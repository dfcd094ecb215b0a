// The example of README.md, line by line; a test holds the two together.

import Strandline

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ReadmeExample {
    struct Post: Entity {
        var id = ID()
        var title = ""
        var views = 0
        static let schema = Schema<Self>("Post") {
            Field("title", \.title, .indexed)
            Field("views", \.views)
        }
    }

    let url: URL
    let shared: URL
    private(set) var audited: [String] = []

    init(in directory: URL) {
        url = directory.appending(path: "store")
        shared = directory.appending(path: "shared")
    }

    mutating func run() async throws -> (before: Int, after: Int) {
        let store = try await Store.open(at: url, Post.self)
        let receipt = try await store.write(author: "app") { tx in
            let post = try tx.insert(Post(title: "Hello"))
            try tx.update(post.id) { $0.views += 1 }  // records only what changed
            return post.id
        }
        try await store.write { tx in try tx.delete(receipt.value) }
        let recent = try store.fetch(Post.where { $0.views > 500 }.sorted(by: \.title).limit(10))
        for try await transaction in store.history(after: receipt.token) { audit(transaction) }
        let past = try await store.snapshot(at: receipt.token)  // time travel
        try await store.sync(with: .folder(shared))  // returns when caught up
        try await store.close()
        return (try past.count(Post.all), recent.count)
    }

    private mutating func audit(_ transaction: Transaction) { audited.append(transaction.header.author) }
}
