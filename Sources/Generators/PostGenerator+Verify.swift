import SampleModel
public import Strandline

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PostGenerator {
    public func verify(
        in store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        var summary = GenerationSummary()
        try await forEachPost(in: store) { number, post in
            var expected = self.post(number)
            (expected.id, expected.attachments) = (post.id, post.attachments)
            guard Self.isSame(post, expected) else {
                throw GeneratorError(
                    .mismatch,
                    "post \(number) (\(post.id)) was changed: it is '\(post.title)' with \(post.views) views, and "
                        + "was made as '\(expected.title)' with \(expected.views) views")
            }
            summary.objects += 1
            if summary.objects.isMultiple(of: 100) { progress(summary) }
        }
        return summary
    }

    /// Calls `body` for each of the posts as it is in the store; posts of other generators do not count.
    func forEachPost(in store: Store, _ body: (Int, Post) async throws -> Void) async throws {
        var numbers: [UUID: Int] = [:]
        for number in 0..<count { numbers[code(number)] = number }
        for id in try store.ids(of: Post.all) {
            try Task.checkCancellation()
            guard let post = try store.get(id), let code = post.code, let number = numbers.removeValue(forKey: code) else {
                continue
            }
            try await body(number, post)
        }
        guard let missing = numbers.values.min() else { return }
        throw GeneratorError(
            .mismatch,
            "\(numbers.count) of \(count) posts are missing, the first of them post \(missing) with the code "
                + code(missing).uuidString)
    }

    private static func isSame(_ a: Post, _ b: Post) -> Bool {
        a.title == b.title && a.content == b.content && a.createdAt == b.createdAt && a.views == b.views && a.code == b.code
    }
}
