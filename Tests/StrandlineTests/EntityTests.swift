import Strandline
import Testing

// The model of the README, word for word: this file is here to compile with `import Strandline` alone.

private struct Post: Entity {
    var id = ID()
    var title = ""
    var views = 0
    var attachments = Many<Attachment>()
    static let schema = Schema<Self>("Post") {
        Field("title", \.title, .indexed)
        Field("views", \.views)
        Field("attachments", \.attachments, inverse: \.post, onDelete: .cascade)
    }
}

private struct Attachment: Entity {
    var id = ID()
    var post: One<Post> = nil
    static let schema = Schema<Self>("Attachment") {
        Field("post", \.post, inverse: \.attachments)
    }
}

@Suite struct ReadmeModelTests {
    @Test func aModelIsStructsWithASchema() {
        let post = Post(title: "Hello")
        let attachment = Attachment(post: post.id)
        #expect(attachment.post == post.id)
        #expect(Post.schema.problems() == [])
        #expect(Attachment.schema.problems() == [])
    }

    @Test func idsAreTypedAndPlaceholdersAreUnlike() {
        let ids: [Post.ID] = [Post().id, Post().id, Post.ID()]
        #expect(Set(ids).count == 3)
        #expect(ids.allSatisfy { $0.isPlaceholder })
    }
}
