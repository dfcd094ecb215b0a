public import Strandline

/// A picture of a post.
///
/// It is small: the picture itself is in ``ImageData``, so that listing attachments loads no picture.
public struct Attachment: Entity {
    public var id = ID()
    public var name = ""
    public var post: One<Post> = nil
    public var imageData: One<ImageData> = nil

    public static let schema = Schema<Self>("Attachment") {
        Field("name", \.name)
        Field("post", \.post, inverse: \.attachments)
        Field("imageData", \.imageData, inverse: \.attachment, onDelete: .cascade)
    }

    public init() {}

    public init(name: String = "", post: One<Post>, imageData: One<ImageData> = nil) {
        self.name = name
        self.post = post
        self.imageData = imageData
    }
}
