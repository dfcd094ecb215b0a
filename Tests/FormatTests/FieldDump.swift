import Storage

/// Bytes with the meaning of each field beside them, one line each.
struct FieldDump {
    let bytes: [UInt8]
    private(set) var lines: [String] = []
    var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func heading(_ text: String) { lines.append((lines.isEmpty ? "" : "\n") + "— \(text) —") }

    /// The next `count` bytes are one field.
    @discardableResult
    mutating func field(_ count: Int, _ meaning: String) -> ArraySlice<UInt8> {
        let field = bytes[at..<at + count]
        var start = at
        var isFirst = true
        repeat {
            let end = min(start + 16, at + count)
            let digits = bytes[start..<end].map { Hexadecimal.text([$0]) }.joined(separator: " ")
            let padded = digits + String(repeating: " ", count: 49 - digits.utf8.count)
            lines.append(Self.offset(start) + "  " + (isFirst ? padded + meaning : digits))
            (start, isFirst) = (end, false)
        } while start < at + count
        at += count
        return field
    }

    /// Zeros up to an offset.
    mutating func zeros(to end: Int) {
        guard end > at else { return }
        guard bytes[at..<end].allSatisfy({ $0 == 0 }) else {
            _ = field(end - at, "NOT ZERO")
            return
        }
        lines.append(Self.offset(at) + "  … zeros up to " + Self.offset(end))
        at = end
    }

    /// A number of fixed width, little-endian.
    @discardableResult
    mutating func number(_ width: Int, _ name: String, hexadecimal: Bool = false) -> UInt64 {
        let value = bytes[at..<at + width].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        field(width, "u\(width * 8) \(name)" + (hexadecimal ? "" : " = \(value)"))
        return value
    }

    mutating func timestamp() {
        let value = bytes[at..<at + 8].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        field(8, "u64 timestamp: \(value >> 16) ms, counter \(value & 0xffff)")
    }

    @discardableResult
    mutating func varint(_ name: String) -> UInt64 {
        let (value, width) = peekVarint()
        field(width, "varint \(name) = \(value)")
        return value
    }

    @discardableResult
    mutating func zigzag(_ name: String) -> Int64 {
        let (value, width) = peekVarint()
        let number = Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
        field(width, "zigzag \(name) = \(number)")
        return number
    }

    mutating func string(_ name: String) {
        let (count, width) = peekVarint()
        let text = String(decoding: bytes[(at + width)..<(at + width + Int(count))], as: UTF8.self)
        field(width + Int(count), "string \(name) = \"\(text)\"")
    }

    mutating func id(_ name: String) { field(16, "id \(name)") }

    private func peekVarint() -> (value: UInt64, width: Int) {
        var value: UInt64 = 0
        var width = 0
        repeat {
            value |= UInt64(bytes[at + width] & 0x7f) << UInt64(7 * width)
            width += 1
        } while bytes[at + width - 1] >= 0x80
        return (value, width)
    }

    private static func offset(_ offset: Int) -> String {
        Hexadecimal.text([UInt8(offset >> 16), UInt8(offset >> 8 & 255), UInt8(offset & 255)])
    }
}
