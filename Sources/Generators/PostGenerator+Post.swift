import SampleModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PostGenerator {
    /// The n-th post, from 0.
    func post(_ number: Int) -> Post {
        var random = SeededWords(seed: seed, 0, UInt64(number))
        var post = Post()
        post.title = PostText.title(&random)
        post.content = PostText.content(&random)
        // Five years from the start of 2021, in whole milliseconds.
        let start = 631_152_000.0
        post.createdAt = Date(timeIntervalSinceReferenceDate: start + Double(random.next() % 157_680_000_000) / 1_000)
        // Most posts are seen rarely, some by thousands.
        let chance = Double(random.next() >> 11) * 0x1p-53
        post.views = Int(10_000 * chance * chance * chance)
        post.code = code(number)
        return post
    }

    /// The code of the n-th post: a UUID of version 4.
    func code(_ number: Int) -> UUID {
        let random = SeededWords(seed: seed, codes, UInt64(number))
        let high = random.word(at: 0) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.word(at: 1) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ word: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * place)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
                byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
                byte(low, 6), byte(low, 7)
            ))
    }
}
