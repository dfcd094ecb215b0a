/// A key and its value in a JSON object.
package struct JSONMember: Sendable, Equatable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}

extension [JSONMember] {
    /// The value of the member named `key`, if there is one.
    package func value(of key: String) -> JSONValue? {
        for member in self where member.key.utf8.elementsEqual(key.utf8) { return member.value }
        return nil
    }
}
