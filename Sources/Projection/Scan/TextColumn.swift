// Invariants
// * `ends` ascend and none is beyond `utf8`: checked when it is made, so that the loops below need no checks.
// * No pointer leaves this file.

/// The texts of a block, searched as the run of bytes that they are.
struct TextColumn {
    private let utf8: [UInt8]
    private let ends: [Int]

    init(utf8: [UInt8], ends: [Int]) {
        var last = 0
        var ascends = true
        for end in ends {
            ascends = ascends && end >= last
            last = end
        }
        precondition(ascends && last <= utf8.count, "the texts of a column end within it, one after the other")
        self.utf8 = utf8
        self.ends = ends
    }

    var count: Int { ends.count }

    /// The bytes of a row.
    func range(_ row: Int) -> Range<Int> { (row == 0 ? 0 : ends[row - 1])..<ends[row] }

    func text(_ row: Int) -> String {
        let range = range(row)
        return unsafe utf8.withUnsafeBufferPointer {
            unsafe String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
        }
    }

    func isASCII(_ row: Int) -> Bool {
        unsafe utf8.withUnsafeBufferPointer { unsafe Self.firstNonASCII($0, range(row)) == nil }
    }

    /// The rows that are not ASCII.
    func nonASCIIRows() -> RowSelection {
        var result = RowSelection(noneOf: ends.count)
        unsafe utf8.withUnsafeBufferPointer { bytes in
            var position = 0
            var row = 0
            let end = ends.last ?? 0
            while let found = unsafe Self.firstNonASCII(bytes, position..<end) {
                while ends[row] <= found { row += 1 }
                result.insert(row)
                position = ends[row]
            }
        }
        return result
    }

    /// The rows in which some bytes occur; with `foldsCase` also where letters of them are capitals.
    func rows(containing needle: [UInt8], foldsCase: Bool) -> RowSelection {
        var result = RowSelection(noneOf: ends.count)
        unsafe utf8.withUnsafeBufferPointer { bytes in
            let search = ByteSearch(needle, foldsCase: foldsCase)
            var position = 0
            var row = 0
            let end = ends.last ?? 0
            while let found = unsafe search.first(in: bytes, position..<end) {
                while ends[row] <= found { row += 1 }
                if found + needle.count <= ends[row] {
                    result.insert(row)
                    position = ends[row]
                } else {
                    position = found + 1
                }
            }
        }
        return result
    }

    /// Whether some bytes occur in a row.
    func contains(_ row: Int, _ search: ByteSearch) -> Bool {
        unsafe utf8.withUnsafeBufferPointer { unsafe search.first(in: $0, range(row)) != nil }
    }

    /// The rows, among some, that are exactly these bytes: by their length first.
    func rows(equal bytes: [UInt8], foldsCase: Bool, among rows: RowSelection) -> RowSelection {
        let length = bytes.count
        return unsafe utf8.withUnsafeBufferPointer { utf8 in
            unsafe ends.withUnsafeBufferPointer { ends in
                rows.filter { row in
                    let start = unsafe row == 0 ? 0 : ends[row - 1]
                    return unsafe ends[row] - start == length && Self.equals(utf8, at: start, bytes, foldsCase)
                }
            }
        }
    }

    /// Whether bytes stand at the beginning, or at the end, of a row.
    func hasAffix(_ row: Int, _ bytes: [UInt8], atEnd: Bool, foldsCase: Bool) -> Bool {
        let range = range(row)
        guard range.count >= bytes.count else { return false }
        let start = atEnd ? range.upperBound - bytes.count : range.lowerBound
        return unsafe utf8.withUnsafeBufferPointer { unsafe Self.equals($0, at: start, bytes, foldsCase) }
    }

    /// Whether a pattern fits a row.
    func fits(_ row: Int, _ pattern: BytePattern, foldsCase: Bool) -> Bool {
        pattern.matches(utf8.span.extracting(range(row)), foldsCase: foldsCase)
    }

    /// The order of a row's bytes and others: -1, 0 or 1.
    func order(_ row: Int, _ other: [UInt8], foldsCase: Bool) -> Int {
        let range = range(row)
        return unsafe utf8.withUnsafeBufferPointer { utf8 in
            for index in 0..<min(range.count, other.count) {
                let byte = unsafe ByteSearch.folded(utf8[range.lowerBound + index], foldsCase)
                if byte != other[index] { return byte < other[index] ? -1 : 1 }
            }
            return range.count < other.count ? -1 : range.count == other.count ? 0 : 1
        }
    }

    @inline(__always)
    private static func equals(
        _ utf8: UnsafeBufferPointer<UInt8>, at start: Int, _ bytes: [UInt8], _ foldsCase: Bool
    ) -> Bool {
        for index in bytes.indices where unsafe ByteSearch.folded(utf8[start + index], foldsCase) != bytes[index] {
            return false
        }
        return true
    }

    private static func firstNonASCII(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        guard let base = unsafe UnsafeRawPointer(bytes.baseAddress) else { return nil }
        var position = range.lowerBound
        while position + 32 <= range.upperBound {
            let words = unsafe base.loadUnaligned(fromByteOffset: position, as: SIMD4<UInt64>.self)
            if (words[0] | words[1] | words[2] | words[3]) & 0x8080_8080_8080_8080 != 0 { break }
            position += 32
        }
        while position < range.upperBound {
            if unsafe bytes[position] >= 0x80 { return position }
            position += 1
        }
        return nil
    }
}
