import Strandline

/// Types of columns, as `time:date,code:uuid`.
struct ColumnTypeArgument: ArgumentValue {
    static let expectation = "names with types, such as time:date,code:uuid; the types are \(names.joined(separator: ", "))"

    private static let known: [ValueType] = [.bool, .int, .double, .string, .date, .uuid, .data, .reference, .counter]
    private static var names: [String] { known.map { "\($0)" } }

    let types: [String: ValueType]

    init?(argument: String) {
        var types: [String: ValueType] = [:]
        for pair in argument.split(separator: ",") {
            guard let colon = pair.lastIndex(of: ":"), colon > pair.startIndex,
                let type = Self.known.first(where: { "\($0)" == pair[pair.index(after: colon)...] })
            else { return nil }
            types[String(pair[..<colon])] = type
        }
        guard !types.isEmpty else { return nil }
        self.types = types
    }
}
