/// A length in bytes, or the least and the most: `15MB`, `10MB...20MB`, `64KiB`.
struct ByteRangeArgument: ArgumentValue {
    static let expectation = "a length or two, such as 15MB or 10MB...20MB (units B, kB, MB, GB, KiB, MiB, GiB)"

    private static let units: [(name: String, bytes: Double)] = [
        ("KiB", 1_024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("kB", 1e3), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9),
        ("B", 1),
        ("", 1),
    ]

    let range: ClosedRange<UInt64>

    init?(argument: String) {
        let parts = argument.split(separator: "...", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = Self.bytes(parts[0]), let last = Self.bytes(parts[parts.count - 1]), first <= last else { return nil }
        range = first...last
    }

    private static func bytes(_ text: Substring) -> UInt64? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let number = Double(text.dropLast(unit.name.count)), number >= 0, number * unit.bytes < 1e15
        else { return nil }
        return UInt64(number * unit.bytes)
    }
}
