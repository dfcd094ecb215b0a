package import EventLog

extension UniqueKey {
    /// The key for people, as a predicate would say it: `code = "a", year = 1999`; long values are cut.
    var text: String { values.map { Self.text($0.property.name, $0.value) }.joined(separator: ", ") }

    static func text(_ name: String, _ value: Value) -> String {
        let text = Operand.constant(value).description
        return "\(name) = " + (text.count > 80 ? text.prefix(80) + "…" : text)
    }
}

extension FoldState {
    /// An object's unique key for people; empty when it has none.
    package func keyText(of id: ObjectID) -> String { objects[id]?.uniqueKey(by: schema)?.text ?? "" }

    /// An object for people, in the form that names it everywhere.
    package func uri(of id: ObjectID) -> String { id.uri(entity: objects[id]?.entity?.text ?? "") }
}
