// Invariants
// * buffer[index..<end] are bytes read and not yet taken; buffer[0] is byte `base` of the source.
// * `line` and `lineStart` are of the byte at `index`.
// * Memory: one chunk, and one row.

/// Reads the rows of a file of comma-separated values one at a time, in memory that does not grow with the file.
///
/// As RFC 4180 has it: the first row names the columns; fields may stand between quotation marks, and then hold commas, line breaks and
/// doubled quotation marks; lines end with LF or CRLF. Every field is text, or null where there is nothing, not even quotation marks. Blank lines do
/// not count.
package struct CSVRecordReader: ~Copyable {
    private static let chunk = 64 << 10
    /// A longer row is a file of another kind, or lacks a quotation mark.
    private static let longestRow = 64 << 20

    private var source: any JSONByteSource
    private var buffer = [UInt8](repeating: 0, count: Self.chunk)
    private var index = 0
    private var end = 0
    private var base = 0
    private var line = 1
    private var lineStart = 0
    private var names: [String]?
    private var count = 0

    package init(_ source: any JSONByteSource) { self.source = source }

    /// The next row, nil at the end of the file.
    ///
    /// Throws a ``JSONError`` that names the place and the row.
    package mutating func next() throws(JSONError) -> JSONRecord? {
        if names == nil { names = try header() }
        guard let names else { return nil }
        while true {
            let place = place
            guard let fields = try row() else { return nil }
            if fields.count == 1, fields[0] == nil { continue }
            count += 1
            guard fields.count == names.count else {
                var error = failure(
                    .shape, "the row has \(fields.count) fields, and the first row names \(names.count)", at: place)
                error.record = count
                throw error
            }
            var members: [JSONMember] = []
            members.reserveCapacity(fields.count)
            for (name, field) in zip(names, fields) { members.append(JSONMember(name, field.map { .string($0) } ?? .null)) }
            return JSONRecord(number: count, position: place, members: members)
        }
    }

    private mutating func header() throws(JSONError) -> [String]? {
        try start()
        let place = place
        guard let fields = try row() else {
            throw failure(.shape, "the file is empty: expected a row that names the columns", at: place)
        }
        var names: [String] = []
        for field in fields {
            guard let name = field, !name.isEmpty else {
                throw failure(.shape, "column \(names.count + 1) has no name in the first row; name every column", at: place)
            }
            if names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
                throw failure(.duplicateKey, "two columns are named \(name) in the first row", at: place)
            }
            names.append(name)
        }
        return names
    }

    /// The fields of a row; nil at the end of the file.
    private mutating func row() throws(JSONError) -> [String?]? {
        guard try peek() != nil else { return nil }
        let start = place
        var fields: [String?] = []
        var bytes: [UInt8] = []
        var total = 0
        while true {
            bytes.removeAll(keepingCapacity: true)
            let isQuoted = try peek() == UInt8(ascii: "\"")
            let field = place
            if isQuoted { try quoted(&bytes, from: start) } else { try plain(&bytes) }
            total += bytes.count
            if total > Self.longestRow {
                throw failure(
                    .limit, "a row of more than \(Self.longestRow >> 20) MiB; is a quotation mark missing?", at: start)
            }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw failure(.encoding, "a field that is not UTF-8: convert the file to UTF-8", at: field)
            }
            fields.append(bytes.isEmpty && !isQuoted ? nil : text)
            switch try peek() {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "\n"):
                takeLineFeed()
                return fields
            case UInt8(ascii: "\r"):
                index += 1
                guard try peek() == UInt8(ascii: "\n") else {
                    throw failure(
                        .syntax, "a carriage return without a line feed; put fields with line breaks between quotation marks",
                        at: place)
                }
                takeLineFeed()
                return fields
            case nil: return fields
            default: throw failure(.syntax, "expected a comma or the end of the line behind a quotation mark", at: place)
            }
        }
    }

    private mutating func plain(_ bytes: inout [UInt8]) throws(JSONError) {
        while let byte = try peek() {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return
            case UInt8(ascii: "\""):
                throw failure(
                    .syntax, "a quotation mark within a field: put the field between quotation marks, and double those in it",
                    at: place)
            default:
                bytes.append(byte)
                index += 1
            }
        }
    }

    private mutating func quoted(_ bytes: inout [UInt8], from start: JSONError.Position) throws(JSONError) {
        index += 1
        while let byte = try peek() {
            if byte == UInt8(ascii: "\"") {
                index += 1
                guard try peek() == UInt8(ascii: "\"") else { return }
                index += 1
                bytes.append(byte)
            } else {
                bytes.append(byte)
                if byte == UInt8(ascii: "\n") { takeLineFeed() } else { index += 1 }
                if bytes.count > Self.longestRow { break }
            }
        }
        throw failure(.syntax, "the file ends within quotation marks that begin in this row", at: start)
    }

    private mutating func takeLineFeed() {
        index += 1
        line += 1
        lineStart = base + index
    }

    /// The next byte, not taken; nil at the end.
    private mutating func peek() throws(JSONError) -> UInt8? {
        if index < end { return buffer[index] }
        base += end
        index = 0
        end = try source.read(into: &buffer, at: 0..<buffer.count)
        return end > 0 ? buffer[0] : nil
    }

    /// Takes a byte order mark, and refuses what is no text in UTF-8.
    private mutating func start() throws(JSONError) {
        while end < 3 {
            let count = try source.read(into: &buffer, at: end..<buffer.count)
            if count == 0 { break }
            end += count
        }
        switch (buffer[0], buffer[1]) {
        case (0xEF, 0xBB) where end > 2 && buffer[2] == 0xBF: index = 3
        case (0xFF, 0xFE), (0xFE, 0xFF): throw failure(.encoding, "the text is UTF-16: convert it to UTF-8", at: place)
        case (0x1F, 0x8B): throw failure(.encoding, "the file is compressed with gzip: decompress it first", at: place)
        default: break
        }
        lineStart = index
    }

    /// Columns are counted in bytes, so as not to look at each byte twice.
    private var place: JSONError.Position {
        JSONError.Position(line: line, column: base + index - lineStart + 1, offset: base + index)
    }

    private func failure(_ code: JSONError.Code, _ message: String, at place: JSONError.Position) -> JSONError {
        JSONError(code, message, source: source.name, position: place)
    }
}
