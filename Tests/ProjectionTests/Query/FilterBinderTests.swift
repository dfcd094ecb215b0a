import EventLog
import Projection
import Storage
import Testing

@Suite("FilterBinder")
struct FilterBinderTests {
    @Test(
        "refuses what does not fit the entity, and says where",
        arguments: [
            ("views > 1 AND veiws > 2", .unknownProperty, 14, "Post has no property 'veiws'; did you mean 'views', int?"),
            ("titel == 'x'", .unknownProperty, 0, "did you mean 'title', string?"),
            ("attachment.@count > 1", .unknownProperty, 0, "did you mean 'attachments', to-many Attachment?"),
            ("zzzzzz == 1", .unknownProperty, 0, "it has attachments, author, code"),
            ("author.nme == 'x'", .unknownProperty, 0, "Author has no property 'nme'; did you mean 'name'"),
            ("views == 'x'", .typeMismatch, 0, "cannot compare views, which is of type int, with a value of type string"),
            ("views == title", .typeMismatch, 0, "of type int, with a value of type string"),
            ("views CONTAINS 'x'", .typeMismatch, 0, "of type int"), ("views ==[c] 3", .typeMismatch, 0, "[c] is for strings"),
            ("isRead > NO", .typeMismatch, 0, "> needs numbers, strings or dates; isRead is of type bool"),
            ("isRead == 2", .typeMismatch, 0, "type bool"),
            ("picture == picture", .typeMismatch, 0, "only be compared with nil"),
            ("day > 1600000000", .typeMismatch, 0, "write the date as \"2020-10-13T08:30:00Z\""),
            ("day > 'yesterday'", .invalidLiteral, 0, "cannot read \"yesterday\" as date; dates are written"),
            ("key == '12'", .invalidLiteral, 0, "as uuid"), ("author == 'Bo'", .invalidLiteral, 0, "strandline://"),
            ("title MATCHES title", .typeMismatch, 0, "MATCHES needs a pattern in quotes"),
            ("views + title > 3", .typeMismatch, 8, "cannot calculate with title"),
            ("views.x == 1", .typeMismatch, 0, "Post.views is of type int, not a relationship: nothing can follow"),
            ("views.@count == 1", .typeMismatch, 0, "@count needs a to-many"),
            ("author.@count == 1", .quantifier, 0, "at most one"),
            ("attachments.size > 1", .quantifier, 0, "write ANY, ALL or NONE before it"),
            ("ANY views > 1", .quantifier, 4, "ANY needs a path through a to-many"),
            ("views > attachments.size", .quantifier, 8, "write it on the left"),
            ("ANY attachments.size + 1 > 2", .quantifier, 4, "cannot calculate with attachments.size"),
            ("SELF.@count == 1", .quantifier, 0, "SELF is one object"),
        ] as [(String, PredicateError.Code, Int, String)])
    func refuses(text: String, code: PredicateError.Code, position: Int, message: String) throws {
        let error = try #require(throws: PredicateError.self) { try Filter.bound(text: text, to: .post) }
        #expect(error.code == code)
        #expect(error.position == position)
        #expect(error.message.contains(message), "\(error.message)")
    }

    @Test("converts literals to the type they are compared with")
    func literals() throws {
        let row = SampleRow(
            1,
            [
                .day: .date(624_240_000), .key: .uuid(.init(high: 1, low: 2)), .isRead: .bool(true),
                .author: .reference(SampleRow.id(9)),
            ])
        let uri = SampleRow.id(9).uri(entity: "Author")
        for text in [
            "day == '2020-10-13'", "'2020-10-13' == day", "day BETWEEN {'2020-10-12', '2020-10-13T00:00:00Z'}",
            "day < '2020-10-12T22:00:01-02:00'", "key == '00000000-0000-0001-0000-000000000002'", "isRead == 1",
            "isRead != 0", "author == '\(uri)'", "author IN {'\(SampleRow.id(9))'}", "SELF == '\(SampleRow.id(1))'",
            "SELF IN {'\(SampleRow.id(2))', '\(SampleRow.id(1).uri(entity: "Post"))'}", "'2020-10-13' IN {day}",
        ] {
            #expect(try row.fits(text), "\(text)")
            #expect(try !row.fits("NOT (\(text))"), "\(text)")
        }
    }

    @Test("means the column that fits where a name has several")
    func columns() throws {
        let number = SampleRow(1, [Property("code", .int): .int(3)])
        let text = SampleRow(2, [Property("code", .string): .string("x")])
        #expect(try number.fits("code > 2") && !text.fits("code > 2"))
        #expect(try text.fits("code == 'x'") && !number.fits("code == 'x'"))
        #expect(try text.fits("'x' == code") && text.fits("title != code"))
        #expect(throws: PredicateError.self) { try number.fits("code == YES") }
    }

    @Test("takes shapes from declarations")
    func declaration() throws {
        func field(_ name: String, _ type: ValueType, _ storage: Relationship.Storage?, many: Bool = false) -> FieldDeclaration
        {
            FieldDeclaration(
                Property(name, type),
                relationship: storage.map {
                    Relationship(target: "B", inverse: nil, isToMany: many, deleteRule: .nullify, storage: $0)
                })
        }
        let shape = EntityShape(
            EntityDeclaration(
                name: "A",
                fields: [
                    field("n", .int, nil), field("n", .string, nil), field("b", .reference, .register),
                    field("bs", .reference, .inverse, many: true), field("edges", .edges, .edges, many: true),
                ]))
        #expect(shape.fields[WireName("n")]?.types == [.int, .string])
        #expect(shape.fields[WireName("b")] == .init(types: [.reference], relationship: .init(entity: "B", isToMany: false)))
        #expect(shape.fields[WireName("bs")] == .init(types: [], relationship: .init(entity: "B", isToMany: true)))
        #expect(shape.fields[WireName("edges")] == .init(types: [], relationship: .init(entity: "B", isToMany: true)))
        #expect(throws: Never.self) { try Filter.bound(text: "b == nil AND bs.@count > 0 AND NONE edges == nil", to: shape) }
        let error = try #require(throws: PredicateError.self) { try Filter.bound(text: "b.x == 1", to: shape) }
        #expect(error.message.contains("nothing is known"))
    }
}
