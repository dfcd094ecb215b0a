import Storage

/// A JPEG file from which any number of different pictures are made, by comments put into it.
struct Photo: Sendable {
    let path: String
    let length: UInt64
    /// Where comments go: behind the start marker and the application segments, which want to be first.
    let head: UInt64

    /// The photos of a directory, by name.
    ///
    /// - Throws: ``GeneratorError`` when there are none, or one is no JPEG.
    static func all(in directory: String, _ files: any FileSystem) throws -> [Photo] {
        let names = try files.list(directory).filter { name in
            let name = name.lowercased()
            return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg")
        }
        if names.isEmpty {
            throw GeneratorError(.photos, "there are no photos in \(directory); it needs files named .jpg or .jpeg")
        }
        return try names.map { try Photo(Path.join(directory, $0), files) }
    }

    private init(_ path: String, _ files: any FileSystem) throws {
        self.path = path
        let file = try files.open(path, .read)
        defer { file.close() }
        length = try file.size()
        guard try Self.bytes(of: file, at: 0, count: 2) == [0xFF, 0xD8] else {
            throw GeneratorError(.photos, "\(path) is no JPEG: it does not begin with FF D8; take it out of the directory")
        }
        var place: UInt64 = 2
        while case let segment = try Self.bytes(of: file, at: place, count: 4), segment.count == 4, segment[0] == 0xFF,
            (0xE0...0xEF).contains(segment[1])
        {
            place += 2 + (UInt64(segment[2]) << 8 | UInt64(segment[3]))
        }
        guard place < length else {
            throw GeneratorError(.photos, "\(path) is cut off within its header; take it out of the directory")
        }
        head = place
    }

    private static func bytes(of file: any File, at offset: UInt64, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        let read = try file.read(into: &span, at: offset)
        return Array(bytes.prefix(read))
    }

    /// The photo with a comment, and, where it is to be longer, with as much noise in further comments.
    func plan(comment: String, length wanted: UInt64?, noise: SeededWords) -> ContentPlan {
        let text = Array(comment.utf8)
        var pieces: [ContentPlan.Piece] = [.file(path, 0..<head), .bytes(Self.comment(text.count) + text)]
        let missing = Int(wanted ?? 0) - Int(length) - 4 - text.count
        if missing >= 4 { pieces += Self.filling(UInt64(missing), noise: noise) }
        pieces.append(.file(path, head..<length))
        return ContentPlan(pieces: pieces)
    }

    /// Comments of noise that take so many bytes: none, or four at least.
    static func filling(_ bytes: UInt64, noise: SeededWords) -> [ContentPlan.Piece] {
        let header = 4
        let longest = 65_537
        var pieces: [ContentPlan.Piece] = []
        var missing = Int(bytes)
        while missing >= header {
            var count = min(missing, longest)
            // What remains must be nothing, or enough for a segment.
            if (1..<header).contains(missing - count) { count -= header }
            pieces.append(.bytes(comment(count - header)))
            pieces.append(.noise(SeededWords(seed: noise.word(at: UInt64(missing))), count: UInt64(count - header)))
            missing -= count
        }
        return pieces
    }

    /// The start of a comment segment with so many bytes.
    static func comment(_ count: Int) -> [UInt8] {
        [0xFF, 0xFE, UInt8(truncatingIfNeeded: (count + 2) >> 8), UInt8(truncatingIfNeeded: count + 2)]
    }
}
