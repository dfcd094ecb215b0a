import EventLog
import Projection
import Storage
import Strandline

/// Makes objects of which each has another subset of ten fields: number 0 has none, number 1,023 all, and then they come again.
///
/// Of a field that an object does not have, every second one was never set, and the others are null.
public struct SparseGenerator: Generator, RowGenerator {
    public var count: Int
    public var seed: UInt64
    public var batch = 1_000

    public static let entity = "Sparse"
    private static let types: [ValueType] = [.string, .int, .double, .bool, .date, .uuid, .data, .counter, .string, .int]

    public init(count: Int = 1_024, seed: UInt64 = 1) {
        precondition(count >= 0, "a number of objects cannot be negative")
        (self.count, self.seed) = (count, seed)
    }

    var fields: [FieldDeclaration] {
        Self.types.enumerated().map { FieldDeclaration(Property("f\($0.offset)", $0.element), isOptional: true) }
    }

    func values(_ number: Int) -> [PropertyValue] {
        var words = SeededWords(seed: seed, 11, UInt64(number))
        return Self.types.enumerated().compactMap { place, type in
            let word = words.next()
            let property = Property("f\(place)", type)
            if number >> place & 1 != 0 { return PropertyValue(property, .made(type, word)) }
            return word & 1 == 0 ? PropertyValue(property, .null) : nil
        }
    }
}

extension Value {
    /// A value that follows from a word.
    static func made(_ type: ValueType, _ word: UInt64) -> Value {
        switch type {
        case .bool: .bool(word & 2 != 0)
        case .int: .int(Int64(bitPattern: word) >> Int64(word % 60))
        case .counter: .counter(Int64(word % 1_000))
        case .double: .double(Double(Int64(bitPattern: word)) / 1e12)
        case .date: .date(Double(word % 2_000_000_000) / 2)
        case .uuid: .uuid(Digest128(high: word, low: ~word))
        case .data: .data((0..<Int(word % 20)).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) })
        default: .string("text \(word % 100_000)")
        }
    }
}
