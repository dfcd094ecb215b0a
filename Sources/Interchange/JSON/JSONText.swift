/// The text of JSON values, without any whitespace.
enum JSONText {
    static func append(_ value: JSONValue, to bytes: inout [UInt8], sortedKeys: Bool) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let integer): bytes.append(contentsOf: integer.description.utf8)
        // The shortest digits that read back as the same Double, always with a point or an exponent.
        case .number(let number): bytes.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
        case .string(let string): append(string, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for index in elements.indices {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(elements[index], to: &bytes, sortedKeys: sortedKeys)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members): append(members, to: &bytes, sortedKeys: sortedKeys)
        }
    }

    static func append(_ members: [JSONMember], to bytes: inout [UInt8], sortedKeys: Bool) {
        let members = sortedKeys ? members.sorted { $0.key < $1.key } : members
        bytes.append(UInt8(ascii: "{"))
        for index in members.indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(members[index].key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(members[index].value, to: &bytes, sortedKeys: sortedKeys)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func append(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if string.utf8.contains(where: needsEscape) {
            for byte in string.utf8 {
                if needsEscape(byte) { appendEscape(byte, to: &bytes) } else { bytes.append(byte) }
            }
        } else {
            bytes.append(contentsOf: string.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0..<0x20:
            bytes.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        default: bytes.append(byte)
        }
    }
}
