/// The end of a text that may be long: what a process said last.
struct LastLines: Sendable {
    private var bytes: [UInt8] = []

    /// Bytes kept at least.
    static let limit = 2_048

    mutating func append(_ more: Span<UInt8>) {
        for index in more.indices { bytes.append(more[index]) }
        if bytes.count > 2 * Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
    }

    /// The last five lines that say anything, joined by " / ", without control characters.
    var text: String {
        let lines = String(decoding: bytes.suffix(Self.limit), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
            .map { line in String(line.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }) }
            .filter { $0.contains { $0 != " " } }
        return lines.suffix(5).joined(separator: " / ")
    }
}
