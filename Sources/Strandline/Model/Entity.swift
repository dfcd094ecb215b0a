/// A type whose values are the objects of a store: a struct of stored properties, each with a default, and a ``Schema``.
///
/// ```swift
/// struct Post: Entity {
///     var id = ID()
///     var title = ""
///     var views = 0
///     var attachments = Many<Attachment>()
///     static let schema = Schema<Self>("Post") {
///         Field("title", \.title, .indexed)
///         Field("views", \.views)
///         Field("attachments", \.attachments, inverse: \.post, onDelete: .cascade)
///     }
/// }
/// ```
///
/// A value is a copy: changing it changes nothing in the store. Only stored properties are kept; computed ones are derived, and
/// never listed in the schema.
public protocol Entity: Identifiable, Sendable where ID == EntityID<Self> {
    /// An object with every property at its default. A property that a stored row lacks, because an older version of the app
    /// wrote it, reads as this default.
    init()

    /// The object's id; ``EntityID/init()`` until it is inserted.
    var id: EntityID<Self> { get set }

    /// The wire names of the entity and of its properties, and the rules that hold for them. Declare it as `static let`.
    static var schema: Schema<Self> { get }
}

extension Identifiable where Self: Entity {
    /// The type of the entity's ids: `ID()` inside the entity, `Post.ID` elsewhere.
    public typealias ID = EntityID<Self>
}

/// A reference to at most one object: `var post: One<Post> = nil`, the same as `var post: Post.ID?`.
public typealias One<Target: Entity> = EntityID<Target>?
