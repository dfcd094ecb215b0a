/// One object out of a file of records.
package struct JSONRecord: Sendable, Equatable {
    /// From 1, in the order of the file.
    package var number: Int
    /// Where the object starts.
    ///
    /// Of a GeoJSON feature, where the feature starts.
    package var position: JSONError.Position
    package var members: [JSONMember]

    package var line: Int { position.line }
    package var value: JSONValue { .object(members) }
}
