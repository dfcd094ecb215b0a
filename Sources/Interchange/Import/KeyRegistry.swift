import Storage
import Strandline

/// The keys that a file has had so far: some 40 bytes for each row.
struct KeyRegistry {
    private var rows: [Digest128: UInt32] = [:]

    /// Takes note of a row's key.
    ///
    /// - Returns: the earlier row that has the same key, if there is one.
    mutating func insert(_ key: [Value], row: Int) -> Int? {
        let digest = Self.digest(key)
        if let first = rows[digest] { return Int(first) }
        rows[digest] = UInt32(clamping: row)
        return nil
    }

    private static func digest(_ key: [Value]) -> Digest128 {
        var bytes: [UInt8] = []
        for part in key { append(part, to: &bytes) }
        return Checksum.xxh3Wide(bytes.span)
    }

    /// The type, and the value with its length where types have several, so that different keys give different bytes.
    private static func append(_ part: Value, to bytes: inout [UInt8]) {
        bytes.append(part.type?.rawValue ?? 0)
        switch part {
        case .string(let text):
            append(UInt64(text.utf8.count), to: &bytes)
            bytes.append(contentsOf: text.utf8)
        case .data(let data):
            append(UInt64(data.count), to: &bytes)
            bytes.append(contentsOf: data)
        case .bool(let flag): bytes.append(flag ? 1 : 0)
        case .int(let number), .counter(let number): append(UInt64(bitPattern: number), to: &bytes)
        case .double(let number), .date(let number): append(number.bitPattern, to: &bytes)
        case .uuid(let digest):
            append(digest.high, to: &bytes)
            append(digest.low, to: &bytes)
        case .reference(let id): bytes.append(contentsOf: id.description.utf8)
        case .blob(let reference): bytes.append(contentsOf: reference.id.description.utf8)
        case .null: break
        }
    }

    private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}
