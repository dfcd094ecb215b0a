/// A number that replicas change by addition: `var likes = Counter()`, then `post.likes += 1` in an update closure.
///
/// What is recorded is the difference between what the closure saw and what it left, so that increments made at the same time
/// on two replicas both count. Setting a counter outright, `post.likes = 0`, is recorded as a difference too: it subtracts what
/// was seen. Arithmetic wraps around at the limits of 64 bits, as the merged sum does.
public struct Counter: Hashable, Sendable, Codable {
    /// The sum as seen, with what was added since.
    public var value: Int64

    public init(_ value: Int64 = 0) { self.value = value }

    public init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int64.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    public static func += (counter: inout Counter, amount: Int64) { counter.value &+= amount }
    public static func -= (counter: inout Counter, amount: Int64) { counter.value &-= amount }
}

extension Counter: ExpressibleByIntegerLiteral, Comparable, CustomStringConvertible {
    public init(integerLiteral value: Int64) { self.value = value }
    public static func < (a: Counter, b: Counter) -> Bool { a.value < b.value }
    public var description: String { String(value) }
}
