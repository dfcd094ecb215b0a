import Interchange
import Strandline

/// A transaction of the history, as commands show it.
struct ShownTransaction {
    private let transaction: Transaction
    private let changes: [ShownChange]

    init(_ transaction: Transaction, in catalog: SchemaCatalog) {
        self.transaction = transaction
        changes = transaction.changes.map { ShownChange($0, in: catalog) }
    }

    var json: JSONValue {
        let header = transaction.header
        var members = [
            JSONMember("origin", .string(header.origin.description)),
            JSONMember("sequence", .integer(Int64(clamping: header.sequence))),
            JSONMember("time", .string(DateArgument.text(header.timestamp.milliseconds))),
            JSONMember("author", .string(header.author)),
        ]
        if header.isVoid { members.append(JSONMember("void", .bool(true))) }
        members.append(JSONMember("changes", .array(changes.map(\.json))))
        return .object(members)
    }

    /// A line for the transaction, and indented ones for its changes.
    var text: String {
        let header = transaction.header
        let author = header.author.isEmpty ? "" : " by \(ShownValue.value(.string(header.author)).text)"
        let void = header.isVoid ? ", void" : ""
        let title = "\(DateArgument.text(header.timestamp.milliseconds))  \(header.origin) \(header.sequence)\(author)\(void)"
        return ([title] + changes.flatMap(\.lines).map { "  " + $0 }).joined(separator: "\n")
    }
}
