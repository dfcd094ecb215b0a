import SampleModel
public import Strandline

/// Makes posts: a title, 70 bytes of content, a date, views, and a code that no other post has.
///
/// The store must have been opened with ``SampleModel/Post`` and what belongs to it.
public struct PostGenerator: Generator {
    /// How many posts.
    public var count: Int
    public var seed: UInt64
    /// How many posts go into one transaction.
    public var batch = 1_000
    /// The stream of words that codes are drawn from, so that posts of two generators have different ones.
    var codes: UInt64 = 1

    public init(count: Int, seed: UInt64 = 1) {
        precondition(count >= 0, "a number of posts cannot be negative")
        self.count = count
        self.seed = seed
    }

    public var total: GenerationSummary { GenerationSummary(objects: count) }

    public func generate(
        into store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        precondition(batch > 0, "a batch has at least one post")
        var summary = GenerationSummary()
        while summary.objects < count {
            try Task.checkCancellation()
            let first = summary.objects
            let last = min(count, first + batch)
            try await write(first..<last, into: store)
            summary.objects = last
            progress(summary)
        }
        return summary
    }

    private func write(_ numbers: Range<Int>, into store: Store) async throws {
        let generator = self
        do {
            try await store.write(author: "generator") { transaction in
                for number in numbers { try transaction.insert(generator.post(number)) }
            }
        } catch let error as StoreError where error.code == .duplicateKey {
            throw GeneratorError.alreadyGenerated(seed)
        }
    }
}

extension GeneratorError {
    static func alreadyGenerated(_ seed: UInt64) -> GeneratorError {
        GeneratorError(.alreadyGenerated, "the store has what seed \(seed) makes already; choose another seed (--seed)")
    }
}
