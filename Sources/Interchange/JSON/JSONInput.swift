// The window of the text that a parser sees.
//
// * buffer[0..<end] are bytes read; buffer[end] is always 0, so a scan stops there without testing for the end. A zero
//   byte is legal nowhere in JSON, so whoever meets one asks `more` whether it is the end of the window or of the text.
// * buffer[0] is byte `base` of the source. `index` is the next byte to look at, 0...end.
// * Only `fill` moves bytes. It keeps those from the given position on and moves that position to 0, so an index into
//   the buffer does not outlive a call of it.
// * Of the current line, the characters before the source's offset `counted` are counted in `characters`; counted lies
//   in the window, at or before every place that an error may still name. So each byte is counted once at most.
// * Whitespace is the only place where a line may end, hence `skipWhitespace` alone counts lines.
// * Memory: one chunk, or up to twice the longest token.

/// A sliding window over a byte source that knows its line and column.
struct JSONInput: ~Copyable {
    static let chunk = 64 << 10

    private(set) var buffer: [UInt8]
    var index = 0
    private(set) var end = 0
    private var base = 0
    private(set) var line = 1
    private var counted = 0
    private var characters = 0
    private var source: any JSONByteSource
    private var isExhausted = false

    init(_ source: any JSONByteSource) {
        self.source = source
        buffer = [UInt8](repeating: 0, count: Self.chunk + 1)
    }

    /// Steps over whitespace and returns the next byte without taking it; nil at the end of the text.
    @inline(__always)
    mutating func peek() throws(JSONError) -> UInt8? {
        let byte = buffer[index]
        if byte > 0x20 { return byte }
        return try skipWhitespace()
    }

    /// Whether there is a byte at `index`, read now if need be; what lies before `index` may be gone afterwards.
    mutating func more() throws(JSONError) -> Bool {
        if index < end { return true }
        return try fill(keeping: index)
    }

    /// Reads on, keeping the bytes from `start` on, which moves to position 0.
    ///
    /// False at the end of the text.
    mutating func fill(keeping start: Int) throws(JSONError) -> Bool {
        if isExhausted { return false }
        drop(start)
        if end == buffer.count - 1 {
            buffer.append(contentsOf: repeatElement(0, count: buffer.count - 1))
        }
        let count: Int
        do {
            count = try source.read(into: &buffer, at: end..<buffer.count - 1)
        } catch {
            var placed = error
            placed.position = position(at: index)
            throw placed
        }
        end += count
        buffer[end] = 0
        isExhausted = count == 0
        return count > 0
    }

    /// The place of a position of the buffer that is on the current line.
    func position(at place: Int) -> JSONError.Position {
        let column = 1 + characters + countCharacters(in: counted - base..<max(place, counted - base))
        return JSONError.Position(line: line, column: column, offset: base + place)
    }

    /// The place of the next byte; no later error may name an earlier place.
    mutating func mark() -> JSONError.Position {
        count(to: index)
        return position(at: index)
    }

    func failure(_ code: JSONError.Code, _ message: String, at place: Int) -> JSONError {
        JSONError(code, message, source: source.name, position: position(at: place))
    }

    /// Takes a byte order mark, and refuses files that start as no JSON text does but as others do.
    mutating func start() throws(JSONError) {
        while end < 3, try fill(keeping: 0) {}
        switch (buffer[0], end > 1 ? buffer[1] : 0) {
        case (0xEF, 0xBB) where end > 2 && buffer[2] == 0xBF:
            index = 3
            counted = 3
        case (0xFF, 0xFE), (0xFE, 0xFF):
            throw failure(.encoding, "the text is UTF-16: convert it to UTF-8", at: 0)
        case (0x1F, 0x8B):
            throw failure(.encoding, "the file is compressed with gzip: decompress it first", at: 0)
        default: break
        }
    }

    private mutating func skipWhitespace() throws(JSONError) -> UInt8? {
        while true {
            let byte = buffer[index]
            switch byte {
            case 0x20, 0x09, 0x0D: index += 1
            case 0x0A:
                index += 1
                line += 1
                counted = base + index
                characters = 0
            case 0 where index == end:
                if try !fill(keeping: index) { return nil }
            default: return byte
            }
        }
    }

    /// Forgets the bytes before `start`, remembering how many characters of the current line were among them.
    private mutating func drop(_ start: Int) {
        guard start > 0 else { return }
        count(to: start)
        for place in start..<end { buffer[place - start] = buffer[place] }
        end -= start
        index -= start
        base += start
    }

    private mutating func count(to place: Int) {
        guard counted - base < place else { return }
        characters += countCharacters(in: counted - base..<place)
        counted = base + place
    }

    /// How many bytes of the range begin a character: all but UTF-8's continuation bytes.
    private func countCharacters(in range: Range<Int>) -> Int {
        let bytes = buffer.span.extracting(range)
        var continuations = 0
        for place in bytes.indices { continuations &+= bytes[place] & 0xC0 == 0x80 ? 1 : 0 }
        return bytes.count - continuations
    }
}
