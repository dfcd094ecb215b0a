// Invariants
// * `offset` is the next byte to give of piece `index`; it is at its end only after the last piece.
// * `file` is open while a piece of it is being read.

import Storage

/// Gives the bytes of a plan from front to back.
struct ContentReader {
    private let pieces: [ContentPlan.Piece]
    private let files: any FileSystem
    private var index = 0
    private var offset: UInt64 = 0
    private var file: (path: String, handle: any File)?

    init(_ plan: ContentPlan, _ files: any FileSystem) {
        pieces = plan.pieces
        self.files = files
    }

    /// Fills the front of a buffer; returns how many bytes, 0 at the end.
    mutating func read(into buffer: inout MutableSpan<UInt8>) throws -> Int {
        while index < pieces.count {
            let piece = pieces[index]
            let count = Int(min(UInt64(buffer.count), piece.length - offset))
            if count == 0 {
                (index, offset) = (index + 1, 0)
                continue
            }
            switch piece {
            case .bytes(let bytes): for place in 0..<count { buffer[place] = bytes[Int(offset) + place] }
            case .noise(let words, _): Self.fill(&buffer, count, words, at: offset)
            case .rows(let rows, let words, let all): Self.fill(&buffer, count, rows, words, all, at: offset)
            case .file(let path, let range): try read(path, at: range.lowerBound + offset, count, into: &buffer)
            }
            offset += UInt64(count)
            return count
        }
        file?.handle.close()
        file = nil
        return 0
    }

    private static func fill(_ buffer: inout MutableSpan<UInt8>, _ count: Int, _ words: SeededWords, at offset: UInt64) {
        var place = 0
        // Up to the first whole word, whole words, and what remains.
        while place < count, (offset + UInt64(place)) % 8 != 0 {
            buffer[place] = byte(words, at: offset + UInt64(place))
            place += 1
        }
        var index = (offset + UInt64(place)) / 8
        while place + 8 <= count {
            let word = words.word(at: index)
            for shift in 0..<8 { buffer[place + shift] = UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift))) }
            index += 1
            place += 8
        }
        while place < count {
            buffer[place] = byte(words, at: offset + UInt64(place))
            place += 1
        }
    }

    private static func fill(
        _ buffer: inout MutableSpan<UInt8>, _ count: Int, _ rows: DrawnRows, _ words: SeededWords, _ all: Int, at offset: UInt64
    ) {
        var place = 0
        while place < count {
            let (row, within) = (Int(offset) + place).quotientAndRemainder(dividingBy: rows.length)
            let part = min(count - place, rows.length - within)
            // Restart markers count to eight; behind the last row the picture ends.
            let marker = row == all - 1 ? 0xD9 : 0xD0 + UInt8(row % 8)
            rows.copy(
                Int(words.word(at: UInt64(row)) >> 1), from: within, count: part, marker: marker, into: &buffer, at: place)
            place += part
        }
    }

    private static func byte(_ words: SeededWords, at offset: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: words.word(at: offset / 8) >> (8 * (offset % 8)))
    }

    private mutating func read(_ path: String, at offset: UInt64, _ count: Int, into buffer: inout MutableSpan<UInt8>) throws {
        if file?.path != path {
            file?.handle.close()
            file = (path, try files.open(path, .read))
        }
        guard let handle = file?.handle else { return }
        // More than the piece may come; what lies behind `count` does not count.
        guard try handle.read(into: &buffer, at: offset) >= count else {
            throw GeneratorError(.photos, "\(path) became shorter while it was read; leave the photos alone meanwhile")
        }
    }
}
