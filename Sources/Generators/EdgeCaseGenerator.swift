import EventLog
import Projection
import Storage
import Strandline

/// Makes objects of values at the edges: empty and huge, of every corner of Unicode, the extremes of numbers and dates, null everywhere.
///
/// The first of them go through the lists below one by one, so that each value is alone in one object; the others combine them.
public struct EdgeCaseGenerator: Generator, RowGenerator {
    public var count: Int
    public var seed: UInt64
    public var batch = 200

    public static let entity = "EdgeCase"

    public init(count: Int = 500, seed: UInt64 = 1) {
        precondition(count >= 0, "a number of objects cannot be negative")
        (self.count, self.seed) = (count, seed)
    }

    private static let columns: [(property: Property, values: [Value])] = [
        (Property("text", .string), texts.map { .string($0) }), (Property("int", .int), integers.map { .int($0) }),
        (Property("double", .double), doubles.map { .double($0) }), (Property("date", .date), dates.map { .date($0) }),
        (Property("flag", .bool), [.bool(false), .bool(true)]),
        (Property("uuid", .uuid), [.uuid(.zero), .uuid(Digest128(high: .max, low: .max)), .uuid(Digest128(high: 1, low: 0))]),
        (
            Property("data", .data),
            [.data([]), .data([0]), .data(Array(0...255)), .data([UInt8](repeating: 0xFF, count: 60_000))]
        ),
        (Property("tally", .counter), [.counter(0), .counter(.max), .counter(.min)]),
    ]

    var fields: [FieldDeclaration] { Self.columns.map { FieldDeclaration($0.property, isOptional: true) } }

    func values(_ number: Int) -> [PropertyValue] {
        var rest = number
        for column in Self.columns {
            if rest < column.values.count { return [PropertyValue(column.property, column.values[rest])] }
            rest -= column.values.count
        }
        var words = SeededWords(seed: seed, 12, UInt64(number))
        return Self.columns.map { column in
            let word = words.next() % UInt64(column.values.count + 1)
            return PropertyValue(column.property, word == 0 ? .null : column.values[Int(word) - 1])
        }
    }

    private static let integers: [Int64] = [
        0, 1, -1, .max, .min, .max - 1, .min + 1, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, 1 << 31, -(1 << 31) - 1, 1 << 32, 255,
        256,
    ]
    private static let doubles: [Double] = [
        0, -0.0, 1, -1, 0.1, .pi, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
        .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, .infinity, -.infinity, .nan, .ulpOfOne, 0x1p53, 0x1p53 + 1, 0x1p63, -0x1p63, 1e308, 1e-308,
    ]
    /// Seconds since 2001: the epochs of other systems, the ends of calendars, and far beyond.
    private static let dates: [Double] = [
        0, -978_307_200, -63_114_076_800, 63_113_904_000, 252_423_993_599.999, 0.001, -0.001, 1e15, -1e15, 1_169_596_800,
        4_102_444_800,
    ]
    private static let texts: [String] = [
        "", " ", "\t", "\n", "\r\n", "\0", "a\0b", "'", "\"", "\\", ",", ";", "`", "%s", "{}", "<a>&amp;", "NULL", "null", "--",
        "é", "e\u{301}", "Å", "A\u{30A}", "\u{212B}", "ﬁ", "ſ", "ß", "ẞ", "İ", "ı", "i\u{307}", "Σ", "ς", "\u{37E}", "\u{1FEF}",
        "שלום", "مرحبا", "\u{202E}abc\u{202C}", "\u{200F}", "\u{FEFF}bom", "\u{200B}", "\u{AD}", "हिन्दी", "한국어", "한국어", "ไทย",
        "日本語", "🙂", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪🇫🇷", "👍🏽", "\u{1F468}\u{200D}", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "\u{E000}", "\u{D7FF}",
        "z" + String(repeating: "\u{301}", count: 1_000), String(repeating: "x", count: 15), String(repeating: "x", count: 16),
        String(repeating: "ä", count: 50_000), String(repeating: "long ", count: 40_000),
    ]
}
