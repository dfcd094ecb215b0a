import EventLog
import Projection
import Storage

/// A post of the sample model, held in memory.
struct SampleRow: RowReader {
    let id: ObjectID
    var values: [Property: Value] = [:]
    var links: [String: [SampleRow]] = [:]

    init(_ sequence: UInt64, _ values: [Property: Value] = [:], links: [String: [SampleRow]] = [:]) {
        id = Self.id(sequence)
        self.values = values
        self.links = links
    }

    static func id(_ sequence: UInt64) -> ObjectID {
        ObjectID(replica: ReplicaID(Digest128(high: 0, low: 7)), sequence: sequence, index: 0)
    }

    func value(of property: Property) -> Value { values[property] ?? .null }
    func related(by name: String) -> [SampleRow] { links[name] ?? [] }

    /// Whether a predicate selects it.
    func fits(_ predicate: String) throws -> Bool {
        try CompiledFilter(Filter.bound(text: predicate, to: .post)).matches(self)
    }
}

extension Property {
    static let title = Property("title", .string)
    static let views = Property("views", .int)
    static let score = Property("score", .double)
    static let day = Property("day", .date)
    static let key = Property("key", .uuid)
    static let isRead = Property("isRead", .bool)
    static let raw = Property("raw", .data)
    static let tally = Property("tally", .counter)
    static let picture = Property("picture", .blob)
    static let author = Property("author", .reference)
    static let size = Property("size", .int)
    static let authorName = Property("name", .string)
}

extension EntityShape {
    static let post = EntityShape(
        name: "Post",
        fields: [
            "title": Field(types: [.string]), "views": Field(types: [.int]), "score": Field(types: [.double]),
            "day": Field(types: [.date]), "key": Field(types: [.uuid]), "isRead": Field(types: [.bool]),
            "raw": Field(types: [.data]), "tally": Field(types: [.counter]), "picture": Field(types: [.blob]),
            "code": Field(types: [.int, .string]), "in": Field(types: [.string]), "net-worth": Field(types: [.double]),
            "author": Field(types: [.reference], relationship: Target(entity: "Author", isToMany: false)),
            "attachments": Field(types: [], relationship: Target(entity: "Attachment", isToMany: true)),
        ],
        entity: related)

    @Sendable private static func related(_ name: String) -> EntityShape? {
        switch name {
        case "Author":
            EntityShape(
                name: name,
                fields: [
                    "name": Field(types: [.string]),
                    "posts": Field(types: [], relationship: Target(entity: "Post", isToMany: true)),
                ],
                entity: related)
        case "Attachment":
            EntityShape(
                name: name,
                fields: [
                    "name": Field(types: [.string]), "size": Field(types: [.int]),
                    "post": Field(types: [.reference], relationship: Target(entity: "Post", isToMany: false)),
                ],
                entity: related)
        case "Post": post
        default: nil
        }
    }
}
