import EventLog
import Storage

extension ColumnBuilder {
    /// What the directory tells of this column, which has `count` rows.
    var bounds: ColumnBounds {
        var bounds = ColumnBounds(hasNull: values < count)
        guard values > 0 else { return bounds }
        switch property.type {
        case .bool:
            bounds.lowest = .bool(!bools.contains(false))
            bounds.highest = .bool(bools.contains(true))
        case .int, .counter:
            let (low, high) = Self.extremes(ints)
            bounds.lowest = property.type == .int ? .int(low) : .counter(low)
            bounds.highest = property.type == .int ? .int(high) : .counter(high)
        case .double, .date:
            guard !doubles.contains(where: \.isNaN) else { break }
            let (low, high) = Self.extremes(doubles)
            bounds.lowest = property.type == .double ? .double(low) : .date(low)
            bounds.highest = property.type == .double ? .double(high) : .date(high)
        case .string: boundTexts(&bounds)
        case .uuid:
            let (low, high) = Self.extremes(uuids)
            bounds.lowest = .uuid(low)
            bounds.highest = .uuid(high)
        case .reference:
            let (low, high) = Self.extremes(references)
            bounds.lowest = .reference(low)
            bounds.highest = .reference(high)
        case .data, .blob, .edges: break
        }
        return bounds
    }

    private static func extremes<Element: Comparable>(_ values: [Element]) -> (low: Element, high: Element) {
        var low = values[0]
        var high = values[0]
        for value in values {
            if value < low { low = value }
            if value > high { high = value }
        }
        return (low, high)
    }

    /// Comparisons go by ``TextOrder``, which of ASCII is that of the bytes.
    private func boundTexts(_ bounds: inout ColumnBounds) {
        let isASCII = !bytes.contains { $0 >= 0x80 }
        var low = -1
        var high = -1
        for row in 0..<count where cells[row] == .value {
            if low < 0 {
                low = row
                high = row
            } else if isASCII {
                if precedes(row, low) { low = row } else if precedes(high, row) { high = row }
            } else {
                let text = text(row)
                if TextOrder.compare(text, self.text(low)) < 0 {
                    low = row
                } else if TextOrder.compare(text, self.text(high)) > 0 {
                    high = row
                }
            }
        }
        guard low >= 0 else { return }
        bounds.lowest = .string(Self.cut(text(low)))
        bounds.highest = Self.raised(text(high)).map { .string($0) }
    }

    private func text(_ row: Int) -> String { ColumnBlock.text(row, bytes, ends) }

    /// Whether the bytes of row `a` sort before those of row `b`.
    private func precedes(_ a: Int, _ b: Int) -> Bool {
        let startA = a == 0 ? 0 : ends[a - 1]
        let startB = b == 0 ? 0 : ends[b - 1]
        let sizeA = ends[a] - startA
        let sizeB = ends[b] - startB
        var index = 0
        let common = min(sizeA, sizeB)
        while index < common {
            let byteA = bytes[startA + index]
            let byteB = bytes[startB + index]
            if byteA != byteB { return byteA < byteB }
            index += 1
        }
        return sizeA < sizeB
    }

    /// A text that is not above this one nor any that begins as it does.
    static func cut(_ text: String) -> String {
        text.utf8.count <= RunFormat.boundBytes ? text : String(decoding: stem(of: text), as: UTF8.self)
    }

    /// A text that is not below this one nor any that begins as it does; nil when there is no short one.
    static func raised(_ text: String) -> String? {
        if text.utf8.count <= RunFormat.boundBytes { return text }
        var stem = stem(of: text)
        while let last = stem.popLast() {
            if last < 0x7f {
                stem.append(last + 1)
                return String(decoding: stem, as: UTF8.self)
            }
        }
        return nil
    }

    /// The first characters, as far as they are ASCII and no combining character follows that could merge with the last one:
    /// only of these does it hold that the order of beginnings is the order of texts.
    private static func stem(of text: String) -> [UInt8] {
        var stem: [UInt8] = []
        for byte in text.utf8 {
            if byte >= 0x80 {
                _ = stem.popLast()
                break
            }
            if stem.count == RunFormat.boundBytes { break }
            stem.append(byte)
        }
        return stem
    }
}
