import Projection
import Strandline

/// What kinds of values the members of some records have: from it the types of new columns follow.
struct ColumnScan {
    private struct Kinds: OptionSet {
        let rawValue: UInt8

        static let bool = Kinds(rawValue: 1)
        static let integer = Kinds(rawValue: 2)
        /// An integer that no Double has exactly.
        static let wide = Kinds(rawValue: 4)
        static let number = Kinds(rawValue: 8)
        /// Strings, and what is kept as its JSON text.
        static let text = Kinds(rawValue: 16)
    }

    /// Whether all values are text, so that what they are is guessed, and a name has one column.
    let isText: Bool
    /// In the order in which they were met.
    private(set) var names: [String] = []
    private var kinds: [WireName: Kinds] = [:]

    init(isText: Bool) { self.isText = isText }

    mutating func add(_ members: [JSONMember]) {
        for member in members where member.key != ImportColumns.reserved {
            let kind = Self.kinds(of: isText ? member.value.guessed : member.value)
            let name = WireName(member.key)
            if let known = kinds[name] {
                if !known.isSuperset(of: kind) { kinds[name] = known.union(kind) }
            } else {
                names.append(member.key)
                kinds[name] = kind
            }
        }
    }

    /// The types of the columns for a name.
    ///
    /// Integers and numbers together are one column of doubles, if those have all the integers exactly; any other mixture takes
    /// a column for each. A name that was only ever null is taken for text.
    func types(of name: String) -> [ValueType] {
        let kinds = kinds[WireName(name)] ?? []
        if isText, kinds.contains(.text) || kinds.isSuperset(of: [.bool, .integer]) || kinds.isSuperset(of: [.bool, .number]) {
            return [.string]
        }
        if isText, kinds.contains(.number) { return [.double] }
        var types: [ValueType] = []
        if kinds.contains(.bool) { types.append(.bool) }
        let isDouble = kinds.contains(.number)
        if kinds.contains(.wide) || (kinds.contains(.integer) && !isDouble) { types.append(.int) }
        if isDouble { types.append(.double) }
        if kinds.contains(.text) || types.isEmpty { types.append(.string) }
        return types
    }

    private static func kinds(of value: JSONValue) -> Kinds {
        switch value {
        case .null: []
        case .bool: .bool
        case .integer(let integer): Double(exactly: integer) == nil ? [.integer, .wide] : .integer
        case .number: .number
        case .string, .array, .object: .text
        }
    }
}
