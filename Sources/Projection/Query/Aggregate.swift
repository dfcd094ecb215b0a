/// A figure over many objects: `count`, `avg:magnitude`.
public struct Aggregate: Hashable, Sendable, CustomStringConvertible {
    public enum Function: String, Hashable, Sendable, CaseIterable {
        /// How many objects there are or, with a path, how many have a value there.
        case count
        /// Of integers exact, as an integer if it fits in 64 bits and else as a double. 0 of none.
        case sum
        /// A double; null of none. Sums first, integers exactly, and divides once.
        case avg
        /// The first or last by the order of predicates, NaN left out; null of none. Of numbers, strings and dates.
        ///
        /// Of values that are equal but stored differently, -0.0 and 0.0 or one string composed and decomposed, both give the
        /// same: -0.0, and the string whose UTF-8 comes first.
        case min, max
    }

    public var function: Function
    /// Nil only for `count`.
    public var path: PropertyPath?

    public init(_ function: Function, _ path: PropertyPath) {
        self.function = function
        self.path = path
    }

    /// How many objects there are.
    public static let count = Aggregate(function: .count)

    private init(function: Function) {
        self.function = function
        path = nil
    }

    /// As it is parsed: `avg:magnitude`.
    public var description: String { path.map { "\(function.rawValue):\($0)" } ?? function.rawValue }

    /// Reads `avg:magnitude,max:magnitude,count`.
    ///
    /// - Throws: ``PredicateError`` with the position of the first mistake.
    public static func parse(_ text: String) throws(PredicateError) -> [Aggregate] {
        var reader = try PathListReader(text)
        var result: [Aggregate] = []
        repeat {
            let position = reader.current.position
            let name = try reader.name()
            guard let function = Function(rawValue: name.lowercased()) else {
                let known = Function.allCases.map(\.rawValue).joined(separator: ", ")
                throw reader.failure("there is no aggregate '\(name)'; there are \(known)", at: position)
            }
            if reader.accept(":") {
                result.append(Aggregate(function, try reader.path()))
            } else if function == .count {
                result.append(.count)
            } else {
                throw reader.failure("expected ':' and a property after '\(name)'")
            }
        } while reader.accept(",")
        try reader.finish()
        return result
    }
}
