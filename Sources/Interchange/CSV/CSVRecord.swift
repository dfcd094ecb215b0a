/// A line of comma-separated values, as RFC 4180 has it.
///
/// Text is always between quotation marks, so that text without characters differs from no value at all.
package struct CSVRecord {
    package enum Field: Equatable, Sendable {
        /// No value.
        case empty
        /// Text of any kind.
        case text(String)
        /// A number, a date, a name of an object: nothing that needs quotation marks.
        case plain(String)
    }

    private var bytes: [UInt8] = []

    package init(_ fields: some Sequence<Field>) {
        var isFirst = true
        for field in fields {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(field)
        }
        bytes.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
    }

    /// The line, with its end.
    package var line: [UInt8] { bytes }

    private mutating func append(_ field: Field) {
        switch field {
        case .empty: break
        case .plain(let text) where !text.utf8.contains(where: Self.needsQuotes): bytes.append(contentsOf: text.utf8)
        case .plain(let text), .text(let text):
            bytes.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                if byte == UInt8(ascii: "\"") { bytes.append(byte) }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }
}
