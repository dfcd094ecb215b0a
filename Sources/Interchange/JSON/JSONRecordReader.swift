// * `state` says what is open at the parser between two calls of `next`: nothing, an array, or a FeatureCollection and
//   its array of features.
// * `held` is nil but between the two steps of `object` that read an array which might have been features.
// * At most one record is in memory, and of a FeatureCollection the members before its type is known.
// * After an error `next` must not be called again.

/// Reads a file of records one at a time, in memory that does not grow with the file.
///
/// The shape is detected from the content:
/// * a JSON array of objects;
/// * objects one after another, such as one per line (NDJSON); blank lines do not count;
/// * one object, which is the only record;
/// * a GeoJSON FeatureCollection, each feature of which is a record, flattened as ``GeoJSONFeature`` says; everything
///   else in the collection is skipped. If the type of the collection comes after its features, they are recognised by
///   the first one.
///
/// A GeoJSON feature that stands where a record is expected, alone or in an array or on a line, is flattened too.
///
/// ```swift
/// var reader = JSONRecordReader(try FileByteSource(path: "quakes.geojson"))
/// while let record = try reader.next() { insert(record.members) }
/// ```
package struct JSONRecordReader: ~Copyable {
    private enum State {
        case start, array, objects, features, end
    }

    private var parser: JSONParser
    private var state = State.start
    /// The open array of records or features.
    private var array = JSONParser.OpenArray()
    /// The open FeatureCollection.
    private var collection = JSONParser.OpenObject()
    /// The first element of the open array, where it turned out to be no feature and waits for the rest.
    private var held: JSONValue?
    private var count = 0
    /// Whether an error now concerns the record after `count`.
    private var isInRecord = false

    package init(_ source: any JSONByteSource, limits: JSONLimits = JSONLimits()) {
        parser = JSONParser(source, limits: limits)
    }

    /// The next record, nil at the end of the file.
    ///
    /// Throws a ``JSONError`` that names the place and the record.
    package mutating func next() throws(JSONError) -> JSONRecord? {
        do {
            guard let record = try advance() else { return nil }
            count += 1
            return record
        } catch {
            var numbered = error
            if isInRecord { numbered.record = count + 1 }
            throw numbered
        }
    }

    private mutating func advance() throws(JSONError) -> JSONRecord? {
        while true {
            isInRecord = false
            switch state {
            case .start: try detect()
            case .array:
                if try parser.nextElement(&array) { return try element() }
                try parser.finish()
                state = .end
            case .objects:
                switch try parser.peek() {
                case UInt8(ascii: "{"): if let record = try object() { return record }
                case nil: state = .end
                default: throw parser.unexpected("'{' or the end of the text after a record")
                }
            case .features:
                if try parser.nextElement(&array) { return try feature() }
                while try parser.nextKey(&collection) != nil { try parser.skipValue() }
                state = .objects
            case .end: return nil
            }
        }
    }

    private mutating func detect() throws(JSONError) {
        switch try parser.peek() {
        case UInt8(ascii: "["):
            array = try parser.openArray()
            state = .array
        case UInt8(ascii: "{"): state = .objects
        case nil:
            throw parser.failure(
                .shape, "the file is empty: expected an array of objects, an object per line, or a FeatureCollection")
        default:
            var error = parser.unexpected("an array of objects, an object per line, or a FeatureCollection")
            error.code = .shape
            throw error
        }
    }

    /// An element of the top-level array.
    private mutating func element() throws(JSONError) -> JSONRecord {
        let place = try begin()
        let value = try parser.value()
        guard case .object(let members) = value else {
            throw failure("a record must be an object, but this one is \(value.kind)", place)
        }
        return try record(members, place)
    }

    /// An element of the open collection's features.
    private mutating func feature() throws(JSONError) -> JSONRecord {
        let place = try begin()
        guard case .object(let members) = try parser.value() else {
            throw failure("expected a feature here: an object whose type is \"Feature\"", place)
        }
        return try flatten(members, place)
    }

    /// An object outside any array.
    ///
    /// Nil if it is a collection, which is then open or, if without features, read.
    private mutating func object() throws(JSONError) -> JSONRecord? {
        let place = try begin()
        var object = try parser.openObject()
        var members: [JSONMember] = []
        var isCollection = false
        var hasFeatures = false
        while let key = try parser.nextKey(&object) {
            if key == "features", try parser.peek() == UInt8(ascii: "[") {
                hasFeatures = true
                array = try parser.openArray()
                collection = object
                state = .features
                if isCollection { return nil }
                if let first = try firstFeature() { return first }
                // None, or no features: an array like any other, though a type to come may still object.
                state = .objects
                members.append(JSONMember(key, .array(try restOfArray())))
            } else if isCollection {
                try parser.skipValue()
            } else {
                let value = try parser.value()
                isCollection = key == "type" && value == .string("FeatureCollection")
                members.append(JSONMember(key, value))
            }
        }
        guard isCollection else { return try record(members, place) }
        if !hasFeatures { throw failure("the FeatureCollection has no array of features", place) }
        if members.value(of: "features") != .array([]) {
            throw failure("the FeatureCollection has something else than features among its features", place)
        }
        return nil
    }

    /// The first element of the open array, flattened, if it is a feature.
    private mutating func firstFeature() throws(JSONError) -> JSONRecord? {
        held = nil
        guard try parser.nextElement(&array) else { return nil }
        let place = try begin()
        let value = try parser.value()
        if case .object(let members) = value, members.value(of: "type") == .string("Feature") {
            return try flatten(members, place)
        }
        held = value
        return nil
    }

    private mutating func restOfArray() throws(JSONError) -> [JSONValue] {
        guard let first = held else { return [] }
        held = nil
        var elements = [first]
        while try parser.nextElement(&array) { elements.append(try parser.value()) }
        return elements
    }

    // MARK: Records

    /// Takes note that a record starts at the next token.
    private mutating func begin() throws(JSONError) -> JSONError.Position {
        isInRecord = true
        _ = try parser.peek()
        return parser.mark()
    }

    private func record(_ members: [JSONMember], _ place: JSONError.Position) throws(JSONError) -> JSONRecord {
        if GeoJSONFeature.isFeature(members) { return try flatten(members, place) }
        return JSONRecord(number: count + 1, position: place, members: members)
    }

    private func flatten(_ members: [JSONMember], _ place: JSONError.Position) throws(JSONError) -> JSONRecord {
        do {
            let flat = try GeoJSONFeature(members).flattened()
            return JSONRecord(number: count + 1, position: place, members: flat)
        } catch {
            throw failure(error.message, place)
        }
    }

    private func failure(_ message: String, _ place: JSONError.Position) -> JSONError {
        var error = parser.failure(.shape, message)
        error.position = place
        return error
    }
}
