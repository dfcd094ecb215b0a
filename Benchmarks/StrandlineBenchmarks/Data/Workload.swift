import EventLog
import Storage

/// The data of the benchmarks: the same posts and blobs that the peers' drivers store, from the same seed.
///
/// `Benchmarks/Peers/workload.h` is the specification; the tests compare with the values it prints.
package struct Workload: Sendable {
    var seed: UInt64
    /// Text that LZ4 finds no repeats in.
    var isIncompressible: Bool
    /// Keys in ascending order in place of random ones.
    var isSequential: Bool

    package init(seed: UInt64 = 1, isIncompressible: Bool = false, isSequential: Bool = false) {
        self.seed = seed
        self.isIncompressible = isIncompressible
        self.isSequential = isSequential
    }

    private static let firstDate: Int64 = 1_577_836_800_000
    private static let blobSalt: UInt64 = 0xB10B_B10B_B10B_B10B
    private static let contentSize = 70
    private static let titleCapacity = 32
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Views are drawn below it.
    package static let viewsEnd: UInt64 = 1 << 20

    private struct Stream {
        private var state: UInt64

        init(seed: UInt64, index: UInt64) { state = SplitMix.mix(seed &+ (index &+ 1) &* SplitMix.step) }

        mutating func draw() -> UInt64 { SplitMix.draw(&state) }
    }

    package func post(_ index: UInt64) -> PostRecord {
        var stream = Stream(seed: seed, index: index)
        let halves = (stream.draw(), stream.draw())
        let key =
            isSequential
            ? Digest128(high: 0, low: index + 1) : Digest128(high: halves.0.byteSwapped, low: halves.1.byteSwapped)
        let views = Int64(stream.draw() >> 44)
        let title =
            isIncompressible ? Self.letters(12, &stream) : Self.words(2, capacity: Self.titleCapacity, &stream)
        let content =
            isIncompressible
            ? Self.letters(Self.contentSize, &stream) : Self.words(.max, capacity: Self.contentSize, &stream)
        let date = Self.firstDate + Int64(stream.draw() >> 27)
        return PostRecord(key: key, title: title, content: content, views: views, date: date)
    }

    /// The bytes of a blob, into the whole of `bytes`; their number must be a multiple of 8 or end the blob.
    package func fill(_ bytes: inout [UInt8], withBlob index: UInt64) {
        var stream = Stream(seed: seed ^ Self.blobSalt, index: index)
        var position = 0
        while position < bytes.count {
            var draw = stream.draw()
            for offset in position..<min(position + 8, bytes.count) {
                bytes[offset] = UInt8(truncatingIfNeeded: draw)
                draw >>= 8
            }
            position += 8
        }
    }

    private static func words(_ limit: Int, capacity: Int, _ stream: inout Stream) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(capacity)
        var draw: UInt64 = 0
        var word = 0
        while word < limit, text.count < capacity {
            draw = word % 8 == 0 ? stream.draw() : draw >> 8
            if word > 0 { text.append(UInt8(ascii: " ")) }
            text.append(contentsOf: words[Int(draw & 0xFF)].prefix(capacity - text.count))
            word += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func letters(_ count: Int, _ stream: inout Stream) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(count)
        var draw: UInt64 = 0
        for letter in 0..<count {
            draw = letter % 10 == 0 ? stream.draw() : draw >> 6
            text.append(letters[Int(draw & 0x3F)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
