public import Strandline

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An entry of the sample diary, with attachments that go with it.
public struct Post: Entity {
    public var id = ID()
    public var title = ""
    public var content = ""
    public var createdAt = Date(timeIntervalSinceReferenceDate: 0)
    public var views = 0
    /// Identifies the post to other systems: posts with one code are one post.
    public var code: UUID?
    public var attachments = Many<Attachment>()

    public static let schema = Schema<Self>("Post") {
        Field("title", \.title, .indexed)
        Field("content", \.content)
        Field("createdAt", \.createdAt)
        Field("views", \.views)
        Field("code", \.code, .unique)
        Field("attachments", \.attachments, inverse: \.post, onDelete: .cascade)
    }

    public init() {}

    public init(
        title: String, content: String = "", createdAt: Date = Date(timeIntervalSinceReferenceDate: 0), views: Int = 0,
        code: UUID? = nil
    ) {
        self.title = title
        self.content = content
        self.createdAt = createdAt
        self.views = views
        self.code = code
    }

    /// The first line of the content: derived, never stored.
    public var excerpt: Substring { content.prefix { !$0.isNewline } }
}
