/// A GeoJSON feature (RFC 7946) as a flat record: its properties, then what its id and geometry add.
///
/// * `id` is the feature's id.
/// * A Point gives `longitude`, `latitude` and, if it has a third coordinate, `depth`, always as numbers (never
///   integers), so that the columns have one type. A Point without coordinates gives none.
/// * Any other geometry gives its type as `geometryType` and its JSON text as `geometry`.
/// * A property that already has one of these names wins: what the geometry or the id says is then left out.
struct GeoJSONFeature {
    /// Why an object is no feature that can be flattened: a sentence.
    struct Problem: Error {
        var message: String
    }

    private var properties: [JSONMember] = []
    private var id: JSONValue?
    private var geometry: JSONValue?

    /// Whether an object met outside a FeatureCollection is a feature: its type says so, and it has both parts.
    static func isFeature(_ members: [JSONMember]) -> Bool {
        // Most records have no such type, and this is asked of each.
        guard members.value(of: "type") == .string("Feature") else { return false }
        return ["properties", "geometry"].allSatisfy { part in
            switch members.value(of: part) {
            case .null, .object: true
            default: false
            }
        }
    }

    init(_ members: [JSONMember]) throws(Problem) {
        var isFeature = false
        for member in members {
            switch (member.key, member.value) {
            case ("type", .string("Feature")): isFeature = true
            case ("id", let value): id = value
            case ("properties", .object(let members)): properties = members
            case ("geometry", .object): geometry = member.value
            case ("properties", .null), ("geometry", .null): break
            case ("properties", let value), ("geometry", let value):
                throw Problem(message: "expected the feature's \(member.key) to be an object or null, not \(value.kind)")
            default: break
            }
        }
        if !isFeature { throw Problem(message: "expected a feature here: an object whose type is \"Feature\"") }
    }

    func flattened() throws(Problem) -> [JSONMember] {
        var members = properties
        members.reserveCapacity(properties.count + 4)
        func add(_ key: String, _ value: JSONValue) {
            if properties.value(of: key) == nil { members.append(JSONMember(key, value)) }
        }
        if let id { add("id", id) }
        guard let geometry else { return members }
        guard case .string(let type) = geometry["type"] else {
            throw Problem(message: "the feature's geometry has no type")
        }
        if type == "Point" {
            for (name, coordinate) in zip(["longitude", "latitude", "depth"], try Self.coordinates(of: geometry)) {
                add(name, .number(coordinate))
            }
        } else {
            add("geometryType", .string(type))
            add("geometry", .string(geometry.text))
        }
        return members
    }

    private static func coordinates(of point: JSONValue) throws(Problem) -> [Double] {
        guard case .array(let elements) = point["coordinates"] else {
            throw Problem(message: "the feature's Point has no array of coordinates")
        }
        var coordinates: [Double] = []
        for element in elements {
            switch element {
            case .number(let number): coordinates.append(number)
            case .integer(let integer): coordinates.append(Double(integer))
            default: throw Problem(message: "a coordinate of the feature's Point is \(element.kind): expected a number")
            }
        }
        if coordinates.count == 1 {
            throw Problem(message: "the feature's Point has one coordinate: expected a longitude and a latitude")
        }
        return coordinates
    }
}
