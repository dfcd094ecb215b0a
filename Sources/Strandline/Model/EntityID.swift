internal import Storage
internal import Synchronization

/// The id of an object of one entity: ``ObjectID`` with the entity's type, so that a `Post.ID` is never taken for a `Tag.ID`.
///
/// Inside an entity write `var id = ID()`; elsewhere its type is `Post.ID`. `insert` replaces the placeholder that `ID()` makes
/// by the permanent id and returns the object with it.
///
/// Its coded form is text, `<replica>/<sequence>.<index>`.
public struct EntityID<Target>: Hashable, Sendable {
    /// The same id without its type.
    public let object: ObjectID

    /// The id of an existing object, as found in history or a notification.
    ///
    /// Whether it is one of `Target` is for the caller to know.
    public init(_ object: ObjectID) { self.object = object }

    /// A placeholder for an object that is not in a store yet.
    ///
    /// It equals no other id, stored or not, made in this process.
    public init() {
        let number = placeholders.wrappingAdd(1, ordering: .relaxed).newValue
        object = ObjectID(replica: ReplicaID(.zero), sequence: number, index: 0)
    }

    /// True until `insert` has given the object its permanent id.
    public var isPlaceholder: Bool { object.isPlaceholder }
}

/// How many placeholders this process has made.
private let placeholders = Atomic<UInt64>(0)

extension ObjectID {
    /// True of an id that no store has given: replica zero is never drawn.
    package var isPlaceholder: Bool { replica.bits == .zero }
}

extension EntityID: Comparable {
    /// Ids of one origin sort by creation.
    public static func < (a: Self, b: Self) -> Bool { a.object < b.object }
}

extension EntityID: LosslessStringConvertible {
    /// Reads what ``description`` gives; nil for anything else.
    public init?(_ description: String) {
        guard let object = ObjectID(description) else { return nil }
        self.object = object
    }

    /// The id as `<replica>/<sequence>.<index>`.
    public var description: String { object.description }
}

extension EntityID: Codable {
    /// - Throws: `DecodingError` unless the text is one that ``description`` gives.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let object = ObjectID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not an object id; expected <replica>/<sequence>.<index>")
        }
        self.object = object
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
