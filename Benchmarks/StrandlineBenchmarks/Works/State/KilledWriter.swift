import Foundation
import Strandline

/// Writes batches of posts until it is killed; says a byte for each that is durable.
struct KilledWriter: Work {
    static let name = "store-killed"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        var first = options.count
        var word = Data(DriveProcess.ready.utf8)
        while true {
            let posts = (first..<first + options.batch).map { KeyedPost(options.workload.post($0)) }
            try await store.write { tx in for post in posts { try tx.insert(post) } }
            FileHandle.standardOutput.write(word)
            word = Data(".".utf8)
            first += options.batch
        }
    }

    /// Lets a process write posts from one on for some milliseconds after its first batch, and kills it.
    ///
    /// - Returns: how many posts there are that it was told are durable, those before included.
    static func write(_ options: RunOptions, from posts: UInt64, for milliseconds: Int) async throws -> UInt64 {
        var writing = options
        writing.count = posts
        let process = try DriveProcess(KilledWriter.self, writing)
        try process.awaitReady()
        try await Task.sleep(for: .milliseconds(milliseconds))
        return posts + options.batch * UInt64(1 + (try process.kill()))
    }
}
