import EventLog
import FoundationEssentials
import Storage
import Strandline
import Testing

@Suite struct TypedCodecTests {
    let set = SchemaSet(Everything.self)
    let blobs = FakeBlobs()

    private func codec() throws -> TypedCodec<Everything> { try #require(TypedCodec<Everything>(set)) }

    /// What would be stored of an object, which compares by bits where Swift's `==` does not.
    private func stored(_ row: Everything) throws -> ObjectChanges {
        try codec().insertion(of: row, as: object(1), blobs: blobs)
    }

    @Test func theSchemaIsSound() {
        #expect(set.problems == [])
    }

    @Test(arguments: [Everything(), Everything.extreme])
    func everyTypeRoundTrips(row: Everything) throws {
        let changes = try stored(row)
        #expect(changes.values.count == 32)
        let read = StoredRow(changes).decode(try codec(), as: object(1))
        #expect(read.id == EntityID(object(1)))
        #expect(try stored(read) == changes)
        #expect(Array(read.text.utf8) == Array(row.text.utf8))
        #expect(read.double.bitPattern == row.double.bitPattern)
        #expect(read.celsius.rawValue.sign == row.celsius.rawValue.sign)
        #expect((read.int, read.uint64, read.int8) == (row.int, row.uint64, row.int8))
        #expect((read.maybeInt, read.maybeText, read.maybeMood) == (row.maybeInt, row.maybeText, row.maybeMood))
        #expect((read.settings, read.maybeSettings) == (row.settings, row.maybeSettings))
        #expect((read.date, read.uuid, read.data, read.bytes) == (row.date, row.uuid, row.data, row.bytes))
        #expect((read.one, read.many, read.likes) == (row.one, row.many, row.likes))
        #expect(read.photo.length == row.photo.length && read.photo.id != nil)
        #expect(read.maybePhoto?.length == row.maybePhoto?.length)
    }

    @Test func nullAndAbsentAreNotTheSame() throws {
        let absent = StoredRow(ObjectChanges()).decode(try codec(), as: object(1))
        #expect(absent.maybeInt == 7)
        var row = StoredRow(ObjectChanges())
        row.values = [Property("maybeInt", .int): .null, Property("int", .int): .null, Property("photo", .blob): .null]
        let null = row.decode(try codec(), as: object(1))
        #expect(null.maybeInt == nil)
        #expect(null.int == 0)
        #expect(null.photo == Blob())
    }

    @Test func whatThisVersionDoesNotKnowKeepsTheDefault() throws {
        var row = StoredRow(ObjectChanges())
        row.values = [
            Property("mood", .string): .string("foggy"), Property("maybeMood", .string): .string("foggy"),
            Property("level", .int): .int(7), Property("int8", .int): .int(128), Property("uint8", .int): .int(-1),
            Property("settings", .data): .data([0x7B]), Property("flag", .bool): .int(1),
        ]
        let read = row.decode(try codec(), as: object(1))
        #expect((read.mood, read.maybeMood, read.level) == (.calm, nil, .low))
        #expect((read.int8, read.uint8, read.flag) == (0, 0, false))
        #expect(read.settings == Settings())
        // Setting another property does not touch what was not understood.
        var changed = read
        changed.int = 1
        let changes = try codec().changes(from: read, to: changed, as: object(1), blobs: blobs)
        #expect(changes.values == [PropertyValue(Property("int", .int), .int(1))])
    }

    @Test func nothingDiffersFromItself() throws {
        for row in [Everything(), .extreme] {
            #expect(try codec().changes(from: row, to: row, as: object(1), blobs: blobs).isEmpty)
            let copy = StoredRow(try stored(row)).decode(try codec(), as: object(1))
            let again = StoredRow(try stored(row)).decode(try codec(), as: object(2))
            #expect(try codec().changes(from: copy, to: again, as: object(1), blobs: blobs).isEmpty)
        }
    }

    @Test func everyPropertyIsFoundDifferent() throws {
        let changes = try codec().changes(from: Everything(), to: .extreme, as: object(1), blobs: blobs)
        let names = Set(changes.values.map(\.property.name) + changes.increments.map(\.property.name))
        let declared = Set(try codec().declaration.fields.map(\.property.name))
        #expect(declared.subtracting(names) == ["many"])
        #expect(changes.increments.map(\.by) == [.min])
        #expect(changes.links.count == 2)
    }

    @Test func onlyThePropertyThatChangedIsRecorded() throws {
        var new = Everything.extreme
        new.maybeMood = .stormy
        let changes = try codec().changes(from: .extreme, to: new, as: object(1), blobs: blobs)
        #expect(changes.values == [PropertyValue(Property("maybeMood", .string), .string("stormy"))])
        #expect(changes.increments.isEmpty && changes.links.isEmpty)
    }

    @Test func bitsDecideWhatIsAChange() throws {
        var old = Everything()
        old.text = "\u{E9} and so on, beyond fifteen bytes"
        old.double = 0.0
        var new = old
        new.text = "e\u{301} and so on, beyond fifteen bytes"
        new.double = -0.0
        #expect(old.text == new.text && old.double == new.double)
        let changes = try codec().changes(from: old, to: new, as: object(1), blobs: blobs)
        #expect(changes.values.map(\.property.name) == ["double", "text"])
    }

    @Test func countersAreRecordedAsDifferences() throws {
        var old = Everything()
        old.likes = 40
        var new = old
        new.likes += 3
        new.likes -= 1
        var changes = try codec().changes(from: old, to: new, as: object(1), blobs: blobs)
        #expect(changes.increments.map(\.by) == [2])
        new.likes = 0
        changes = try codec().changes(from: old, to: new, as: object(1), blobs: blobs)
        #expect(changes.increments.map(\.by) == [-40])
        #expect(changes.values.isEmpty)
    }

    @Test func newContentIsIngestedOnceAndStoredContentNever() throws {
        let row = StoredRow(try stored(.extreme)).decode(try codec(), as: object(1))
        let before = blobs.ingested.count
        #expect(before == 2)
        var new = row
        new.int = 5
        _ = try codec().changes(from: row, to: new, as: object(1), blobs: blobs)
        _ = try codec().insertion(of: row, as: object(2), blobs: blobs)
        #expect(blobs.ingested.count == before)
        new.photo = Blob(Data([9]))
        let changes = try codec().changes(from: row, to: new, as: object(1), blobs: blobs)
        #expect(changes.values.map(\.property.name) == ["int", "photo"])
        #expect(blobs.ingested.last == .bytes([9]))
        new.photo = Blob(contentsOf: "/nowhere")
        #expect(new.photo.length == nil)
        #expect(throws: FakeBlobs.Unreadable.self) {
            try codec().changes(from: row, to: new, as: object(1), blobs: blobs)
        }
    }

    @Test func edgesAreAddedAndRemovedOneByOne() throws {
        var old = Everything()
        old.many = [EntityID(object(2)), EntityID(object(4)), EntityID(object(6))]
        var new = old
        let removals = [new.many.remove(EntityID(object(4))), new.many.remove(EntityID(object(4)))]
        let additions = [new.many.insert(EntityID(object(5))), new.many.insert(EntityID(object(5)))]
        #expect(removals == [true, false])
        #expect(additions == [true, false])
        let property = Property("many", .edges)
        let changes = try codec().changes(from: old, to: new, as: object(1), blobs: blobs)
        #expect(
            changes.links == [
                .edge(owner: object(1), entity: "Everything", property: property, target: object(4), isPresent: false),
                .edge(owner: object(1), entity: "Everything", property: property, target: object(5), isPresent: true),
            ])
    }
}
