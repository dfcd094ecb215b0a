/// A JPEG picture drawn from a seed, as long as asked: rows from a pool in an order of its own, and a comment that fills what remains.
enum DrawnPicture {
    /// Fewer bytes hold no picture.
    static let leastBytes: UInt64 = 1_500

    private static let tallest = 65_535 / 8

    /// - Parameter comment: told in the file; no other picture should have the same.
    static func plan(comment: String, length: UInt64, _ words: SeededWords) -> ContentPlan {
        let rows = DrawnRows.fitting(length)
        let text = Array(comment.utf8.prefix(1_000))
        let headBytes = UInt64(head(rows.blocksPerRow, 1).count + 4 + text.count)
        var count = max(1, min((length - headBytes) / UInt64(rows.length), UInt64(tallest)))
        // What remains must be nothing, or enough for a segment.
        if case 1..<4 = length - headBytes - count * UInt64(rows.length), count > 1 { count -= 1 }
        var pieces: [ContentPlan.Piece] = [.bytes([0xFF, 0xD8] + Photo.comment(text.count) + text)]
        pieces += Photo.filling(length - headBytes - count * UInt64(rows.length), noise: words)
        pieces.append(.bytes(Array(head(rows.blocksPerRow, Int(count)).dropFirst(2))))
        pieces.append(.rows(rows, words, count: Int(count)))
        return ContentPlan(pieces: pieces)
    }

    /// All segments up to the rows.
    private static func head(_ blocksPerRow: Int, _ rows: Int) -> [UInt8] {
        var head: [UInt8] = [0xFF, 0xD8]
        func segment(_ marker: UInt8, _ body: [UInt8]) {
            head += [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
        }
        func word(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        // Quantisation, coarser for what changes quickly.
        segment(0xDB, [0] + (0..<64).map { UInt8(4 + $0 / 4) })
        // One component of 8 bits.
        segment(0xC0, [8] + word(rows * 8) + word(blocksPerRow * 8) + [1, 1, 0x11, 0])
        segment(0xC4, huffman(0x00, codeLength: 4, EntropyCoder.dcSymbols))
        segment(0xC4, huffman(0x10, codeLength: 5, EntropyCoder.acSymbols))
        segment(0xDD, word(blocksPerRow))
        segment(0xDA, [1, 1, 0x00, 0, 63, 0])
        return head
    }

    /// A table all of whose codes have one length.
    private static func huffman(_ kind: UInt8, codeLength: Int, _ symbols: [UInt8]) -> [UInt8] {
        [kind] + (1...16).map { $0 == codeLength ? UInt8(symbols.count) : 0 } + symbols
    }
}
