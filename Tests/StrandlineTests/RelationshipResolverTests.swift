import EventLog
import SampleModel
import Strandline
import Testing

// Testing has an `Attachment` too.
private typealias Attachment = SampleModel.Attachment

private struct Author: Entity {
    var id = ID()
    var books = Many<Book>()
    var favourites = Many<Book>()
    var desk: One<Desk> = nil
    var lamp: One<Lamp> = nil
    var friends = Many<Author>()
    static let schema = Schema<Self>("Author", version: 3) {
        Field("books", \.books, inverse: \.authors)
        Field("favourites", \.favourites)
        Field("desk", \.desk)
        Field("lamp", \.lamp, inverse: \.author, onDelete: .deny)
        Field("friends", \.friends, onDelete: .noAction)
    }
}

private struct Book: Entity {
    var id = ID()
    var title = ""
    var shelf: Int? = nil
    var authors = Many<Author>()
    static let schema = Schema<Self>("Book") {
        Field("shelf", \.shelf, .indexed)
        Field("title", \.title)
        Field("authors", \.authors)
        Unique(\.title, \.shelf)
    }
}

private struct Desk: Entity {
    var id = ID()
    var author: One<Author> = nil
    static let schema = Schema<Self>("Desk") {
        Field("author", \.author, inverse: \.desk, onDelete: .cascade)
    }
}

private struct Lamp: Entity {
    var id = ID()
    var author: One<Author> = nil
    static let schema = Schema<Self>("Lamp") {
        Field("author", \.author, inverse: \.lamp)
    }
}

@Suite struct RelationshipResolverTests {
    private let authors = SchemaSet(Author.self, Book.self, Desk.self, Lamp.self)
    private let sample = SchemaSet(Post.self, Attachment.self, ImageData.self)

    private func relationship(_ set: SchemaSet, _ entity: String, _ field: String) throws -> Relationship {
        let declaration = try #require(set.declarations.first { $0.name == entity })
        let declared = try #require(declaration.fields.first { $0.property.name == field })
        return try #require(declared.relationship)
    }

    @Test func theSampleIsKeptAtTheChildren() throws {
        #expect(sample.problems == [])
        #expect(
            try relationship(sample, "Post", "attachments")
                == Relationship(target: "Attachment", inverse: "post", isToMany: true, deleteRule: .cascade, storage: .inverse))
        #expect(
            try relationship(sample, "Attachment", "post")
                == Relationship(
                    target: "Post", inverse: "attachments", isToMany: false, deleteRule: .nullify, storage: .register))
        #expect(
            try relationship(sample, "Attachment", "imageData")
                == Relationship(
                    target: "ImageData", inverse: "attachment", isToMany: false, deleteRule: .cascade, storage: .inverse))
        #expect(
            try relationship(sample, "ImageData", "attachment")
                == Relationship(
                    target: "Attachment", inverse: "imageData", isToMany: false, deleteRule: .nullify, storage: .register))
    }

    @Test func theSmallerNameKeepsWhatNeitherEndOwns() throws {
        #expect(authors.problems == [])
        #expect(try relationship(authors, "Author", "books").storage == .edges)
        #expect(try relationship(authors, "Book", "authors").storage == .inverseEdges)
        #expect(try relationship(authors, "Author", "lamp").storage == .register)
        #expect(try relationship(authors, "Lamp", "author").storage == .inverse)
    }

    @Test func anInverseDeclaredAtOneEndHoldsForBoth() throws {
        #expect(try relationship(authors, "Book", "authors").inverse == "books")
        #expect(try relationship(authors, "Author", "desk").inverse == "author")
        #expect(try relationship(authors, "Author", "desk").storage == .register)
        #expect(try relationship(authors, "Desk", "author").storage == .inverse)
    }

    @Test func withoutInverseTheFieldKeepsItself() throws {
        #expect(try relationship(authors, "Author", "favourites").storage == .edges)
        #expect(try relationship(authors, "Author", "favourites").inverse == nil)
        #expect(
            try relationship(authors, "Author", "friends")
                == Relationship(target: "Author", inverse: nil, isToMany: true, deleteRule: .noAction, storage: .edges))
    }

    @Test func declarationsCarryTypesVersionsAndKeys() throws {
        #expect(authors.declarations.map(\.name) == ["Author", "Book", "Desk", "Lamp"])
        #expect(authors.declarations[0].version == 3)
        let book = authors.declarations[1]
        #expect(book.uniqueKey == ["title", "shelf"])
        #expect(book.fields[0] == FieldDeclaration(Property("shelf", .int), isOptional: true, isIndexed: true))
        #expect(book.fields[1] == FieldDeclaration(Property("title", .string)))
        #expect(book.fields[2].property == Property("authors", .edges))
        let post = sample.declarations[0]
        #expect(post.uniqueKey == ["code"])
        #expect(
            post.fields.first { $0.property.name == "code" }
                == FieldDeclaration(Property("code", .uuid), isOptional: true, isIndexed: true))
    }

    @Test func derivedRelationshipsAreEditedAtTheOtherEnd() throws {
        let blobs = FakeBlobs()
        let posts = try #require(TypedCodec<Post>(sample))
        var old = Post()
        old.attachments = [EntityID(object(1)), EntityID(object(2))]
        var new = old
        new.attachments.remove(EntityID(object(1)))
        new.attachments.insert(EntityID(object(3)))
        let property = Property("post", .reference)
        #expect(
            try posts.changes(from: old, to: new, as: object(7), blobs: blobs).links == [
                .unlink(holder: object(1), entity: "Attachment", property: property, target: object(7)),
                .link(holder: object(3), entity: "Attachment", property: property, target: object(7)),
            ])

        let attachments = try #require(TypedCodec<Attachment>(sample))
        let picture = Attachment(name: "a", post: EntityID(object(7)), imageData: EntityID(object(8)))
        var changed = picture
        changed.imageData = EntityID(object(9))
        let reference = Property("attachment", .reference)
        #expect(
            try attachments.changes(from: picture, to: changed, as: object(1), blobs: blobs).links == [
                .unlink(holder: object(8), entity: "ImageData", property: reference, target: object(1)),
                .link(holder: object(9), entity: "ImageData", property: reference, target: object(1)),
            ])
        let insertion = try attachments.insertion(of: picture, as: object(1), blobs: blobs)
        #expect(insertion.values.map(\.property.name) == ["name", "post"])
        #expect(
            insertion.links == [.link(holder: object(8), entity: "ImageData", property: reference, target: object(1))])
    }

    @Test func edgesOfTheInverseAreEditedAtTheirOwner() throws {
        let books = try #require(TypedCodec<Book>(authors))
        var book = Book()
        book.authors = [EntityID(object(4))]
        #expect(
            try books.insertion(of: book, as: object(2), blobs: FakeBlobs()).links == [
                .edge(
                    owner: object(4), entity: "Author", property: Property("books", .edges), target: object(2), isPresent: true)
            ])
    }
}
