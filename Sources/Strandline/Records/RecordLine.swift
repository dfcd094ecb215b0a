/// The bytes of one JSON object on one line.
struct RecordLine {
    private var bytes = Array("{".utf8)

    mutating func add(_ name: String, text: String) {
        begin(name)
        quote(text)
    }

    /// A number, `true` or `false`.
    mutating func add(_ name: String, number: String) {
        begin(name)
        bytes += Array(number.utf8)
    }

    consuming func finish() -> [UInt8] {
        bytes += Array("}\n".utf8)
        return bytes
    }

    private mutating func begin(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        quote(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
