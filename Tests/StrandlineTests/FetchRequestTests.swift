import EventLog
import FoundationEssentials
import Projection
import SampleModel
import Strandline
import Testing

// Testing has an `Attachment` too.
private typealias Attachment = SampleModel.Attachment

@Suite struct FetchRequestTests {
    @Test func closuresSayWhatTextSays() throws {
        #expect(
            try Post.where { $0.views > 500 && $0.title.contains("x", [.caseInsensitive]) }.filter
                == Filter("views > 500 AND title CONTAINS[c] 'x'"))
        #expect(
            try Post.where { $0.views <= 5 || !($0.content.hasPrefix("a")) || $0.title.isLike("b*") }.filter
                == Filter("views <= 5 OR NOT (content BEGINSWITH 'a') OR title LIKE 'b*'"))
        #expect(try Post.where { $0.views.isIn([1, 2]) }.filter == Filter("views IN {1, 2}"))
        #expect(try Post.where { $0.views.isIn(1...9) }.filter == Filter("views BETWEEN {1, 9}"))
        let filter = Post.where { $0.code == nil && $0.title != $0.content }.filter
        #expect(try filter == Filter("code == nil AND title != content"))
    }

    @Test func relationshipsAreFollowedAndCounted() throws {
        #expect(try Attachment.where { $0.post.title == "Hello" }.filter == Filter("post.title == 'Hello'"))
        #expect(try Attachment.where { $0.post == nil }.filter == Filter("post == nil"))
        #expect(try Post.where { $0.attachments.count >= 2 }.filter == Filter("attachments.@count >= 2"))
        #expect(try Post.where { $0.attachments.any.name == "a" }.filter == Filter("ANY attachments.name == 'a'"))
        let id = Post.ID(object(3))
        let expected = Comparison(.path(PropertyPath(["post"])), .equal, [.constant(.reference(id.object))])
        #expect(Attachment.where { $0.post == id }.filter == .comparison(expected))
        let itself = Comparison(.path(.object), .equal, [.constant(.reference(id.object))])
        #expect(Post.where { $0.id == id }.filter == .comparison(itself))
    }

    @Test func requestsAreChainsOfValues() throws {
        let all = Post.all
        let some = all.where { $0.views > 1 }.where { $0.views < 9 }.sorted(by: \.title, .descending).sorted(by: \.views)
            .offset(5).limit(10)
        #expect(all == FetchRequest<Post>())
        #expect(try some.filter == Filter("views > 1 AND views < 9"))
        #expect(some.sortKeys == [SortKey(PropertyPath("title"), ascending: false), SortKey(PropertyPath("views"))])
        #expect(some.offset == 5 && some.limit == 10)
        #expect(
            some.description
                == FetchDescription(entity: "Post", filter: some.filter, sort: some.sortKeys, limit: 10, offset: 5))
    }

    @Test func selectionsReadTuples() {
        let pairs = Post.all.select(\.title, \.views)
        let stored: [Property: Value] = [Property("title", .string): .string("a"), Property("views", .int): .int(3)]
        #expect(pairs.properties == [Property("title", .string), Property("views", .int)])
        let pair: (String, Int) = pairs.tuple { stored[$0] }
        #expect(pair == ("a", 3))
        #expect(pairs.tuple { _ in nil } == ("", 0))
    }

    @Test func aPropertyWithoutLineIsNamedNotCrashedOn() {
        let name = Faultless.all.sorted(by: \.unlisted).sortKeys.map(\.path.names)
        #expect(name == [[#"\Faultless.unlisted"#]])
    }
}

private struct Faultless: Entity {
    var id = ID()
    var unlisted = 0
    static let schema = Schema<Self>("Faultless") {}
}
