// Invariants
// * Every row of the pool has `length` bytes, the last two of which are left for the marker behind it.
// * A row is a restart interval of its own: what is decoded of it does not depend on the one before.

/// Rows of blocks of a grey picture as a JPEG file has them: entropy-coded, ready to be put together in any order.
///
/// Baseline JPEG with a restart marker behind each row (ITU-T T.81, sections F.1 and B.2.4.4). Rows differ in length by what their
/// coefficients take; the shorter ones are filled with 0xFF, which may precede any marker (B.1.1.2).
final class DrawnRows: Sendable {
    let blocksPerRow: Int
    let length: Int
    private let bytes: [UInt8]

    /// Different rows of one width.
    private static let count = 64

    init(blocksPerRow: Int) {
        self.blocksPerRow = blocksPerRow
        let rows = (0..<Self.count).map { Self.row(blocksPerRow, SeededWords(seed: 21, UInt64(blocksPerRow), UInt64($0))) }
        let length = (rows.map(\.count).max() ?? 0) + 2
        self.length = length
        bytes = rows.flatMap { $0 + [UInt8](repeating: 0xFF, count: length - $0.count) }
    }

    /// For pictures of about so many bytes: narrow where there is little, so that most bytes are rows.
    static func fitting(_ size: UInt64) -> DrawnRows { size < 64 << 10 ? narrow : size < 2 << 20 ? middle : wide }

    private static let narrow = DrawnRows(blocksPerRow: 4)
    private static let middle = DrawnRows(blocksPerRow: 48)
    private static let wide = DrawnRows(blocksPerRow: 512)

    /// Copies `count` bytes of a row from `offset` on; its marker is `marker`.
    func copy(_ row: Int, from offset: Int, count: Int, marker: UInt8, into buffer: inout MutableSpan<UInt8>, at place: Int) {
        let start = row % Self.count * length + offset
        let bytes = bytes
        let source = bytes.span.extracting(start..<start + count)
        for index in 0..<count { buffer[place + index] = source[index] }
        if offset + count == length { buffer[place + count - 1] = marker }
    }

    private static func row(_ blocks: Int, _ words: SeededWords) -> [UInt8] {
        var words = words
        var coder = EntropyCoder()
        for _ in 0..<blocks {
            let word = words.next()
            coder.put(dc: Int(word % 6), bits: UInt32(truncatingIfNeeded: word >> 8))
            var position = 1
            while position < 60 {
                let word = words.next()
                let (run, size) = (Int(word & 3), Int(word >> 2 & 3) + 1)
                if word >> 4 & 31 == 0 || position + run > 63 { break }
                coder.put(run: run, size: size, bits: UInt32(truncatingIfNeeded: word >> 16))
                position += run + 1
            }
            coder.putEndOfBlock()
        }
        return coder.finish()
    }
}

/// Writes coefficients by two Huffman tables in which all codes are equally long, so that none need be looked up.
struct EntropyCoder {
    private var bytes: [UInt8] = []
    private var held: UInt32 = 0
    private var count = 0

    /// The symbols of the two tables, in the order of their codes: four bits each of DC, five of AC.
    static let dcSymbols: [UInt8] = Array(0..<12)
    static let acSymbols: [UInt8] = [0x00] + (0..<4).flatMap { run in (1...4).map { UInt8(run << 4 | $0) } }

    mutating func put(dc size: Int, bits: UInt32) {
        put(UInt32(size), 4)
        put(bits & (1 << UInt32(size) - 1), size)
    }

    mutating func put(run: Int, size: Int, bits: UInt32) {
        put(UInt32(1 + run * 4 + size - 1), 5)
        put(bits & (1 << UInt32(size) - 1), size)
    }

    mutating func putEndOfBlock() { put(0, 5) }

    /// Fills the last byte with ones.
    mutating func finish() -> [UInt8] {
        if count % 8 > 0 { put((1 << UInt32(8 - count % 8)) - 1, 8 - count % 8) }
        return bytes
    }

    private mutating func put(_ code: UInt32, _ bits: Int) {
        held = held << UInt32(bits) | code
        count += bits
        while count >= 8 {
            let byte = UInt8(truncatingIfNeeded: held >> UInt32(count - 8))
            bytes.append(byte)
            // A marker begins with 0xFF, so that a zero follows where none is meant.
            if byte == 0xFF { bytes.append(0) }
            count -= 8
        }
    }
}
