import EventLog
import Projection
import SampleModel
import Storage
import Strandline
import Synchronization
import Testing

// Testing has an `Attachment` too.
private typealias Attachment = SampleModel.Attachment

/// A note with every kind of relationship that is kept elsewhere, a counter and a key.
private struct Note: Entity {
    var id = ID()
    var name: String?
    var text = ""
    var likes = Counter()
    var content = Blob()
    var tags = Many<Tag>()
    static let schema = Schema<Self>("Note") {
        Field("name", \.name, .unique)
        Field("text", \.text)
        Field("likes", \.likes)
        Field("content", \.content)
        Field("tags", \.tags)
    }

    init() {}
    init(_ name: String?, text: String = "") { (self.name, self.text) = (name, text) }
}

private struct Tag: Entity {
    var id = ID()
    var name = ""
    static let schema = Schema<Self>("Tag") { Field("name", \.name) }
}

/// How often content was begun.
private final class Opened: Sendable {
    let count = Atomic(0)
}

@Suite struct WriteTransactionTests {
    private func open() async throws -> Store { try await Store.open(.inMemory, Note.self, Tag.self) }

    /// A tag that was deleted.
    private func deletedTag(_ store: Store) async throws -> Tag.ID {
        let tag = try await store.write { tx in try tx.insert(Tag()).id }.value
        try await store.write { tx in try tx.delete(tag) }
        return tag
    }

    @Test func aRefusedKeyLeavesTheObjectAsItWas() async throws {
        let store = try await open()
        let (first, second) = try await store.write { tx in (try tx.insert(Note("a")).id, try tx.insert(Note("b")).id) }.value
        let digest = try store.digest()
        try await store.write { tx in
            let error = #expect(throws: StoreError.self) {
                try tx.update(second) {
                    $0.name = "a"
                    $0.text = "changed"
                }
            }
            #expect(error?.code == .duplicateKey && error?.objects == [second.object, first.object])
        }
        #expect(try store.digest() == digest)
        #expect(try store.get(second)?.name == "b" && store.count(Note.all) == 2)
        // A key that is given up is free at once.
        try await store.write { tx in
            try tx.update(first) { $0.name = "c" }
            try tx.update(second) { $0.name = "a" }
        }
        #expect(try store.get(second)?.name == "a")
        try await store.close()
    }

    @Test func aStepThatFailsHalfwayIsNotCommittedByAClosureThatGoesOn() async throws {
        let store = try await open()
        let tag = try await deletedTag(store)
        let note = try await store.write { tx in try tx.insert(Note("a")).id }.value
        let (digest, token) = (try store.digest(), store.token)
        let steps: [@Sendable (WriteTransaction) throws -> Void] = [
            { tx in
                var note = Note("b")
                note.tags = [tag]
                try tx.insert(note)
            },
            { tx in
                var note = Note("b")
                note.tags = [tag]
                try tx.upsert(note)
            },
            { tx in
                try tx.update(note) {
                    $0.text = "half"
                    $0.tags = [tag]
                }
            },
        ]
        for step in steps {
            let error = await #expect(throws: StoreError.self) {
                try await store.write { tx in
                    try tx.insert(Tag())
                    try? step(tx)
                }
            }
            #expect(error?.code == .deleted && error?.objects == [tag.object])
            #expect(error?.description.hasSuffix("nothing of the write was recorded") == true)
        }
        #expect(try store.digest() == digest)
        #expect(store.token.vector.entries.count == token.vector.entries.count)
        try await store.write { tx in try tx.insert(Note("b")) }
        #expect(try store.count(Note.all) == 2)
        try await store.close()
    }

    @Test func aRefusedChangeCanBeSwallowed() async throws {
        let store = try await open()
        try await store.write { tx in
            try tx.insert(Note("a"))
            let large = String(repeating: "x", count: 2 << 20)
            let error = #expect(throws: StoreError.self) { try tx.insert(Note("b", text: large)) }
            #expect(error?.code == .tooLarge)
            #expect(throws: StoreError.self) { try tx.insert(Note("a")) }
            // What a closure of an update did before it threw is a step of its own.
            struct Stop: Error {}
            let note = try tx.insert(Note("c"))
            #expect(throws: Stop.self) {
                try tx.update(note.id) { _ in
                    try tx.insert(Tag())
                    throw Stop()
                }
            }
        }
        #expect(try store.fetch(Note.all).map(\.name) == ["a", "c"])
        #expect(try store.count(Tag.all) == 1)
        try await store.close()
    }

    @Test func aPropertyIsGivenOnce() async throws {
        let store = try await open()
        let note = try await store.write { tx in try tx.insert(Note("a")).id.object }.value
        let likes = Property("likes", .counter)
        try await store.write { tx in
            let error = #expect(throws: StoreError.self) {
                try tx.update(note, [PropertyValue(likes, .counter(1)), PropertyValue(likes, .counter(2))])
            }
            #expect(error?.code == .typeMismatch)
        }
        #expect(try store.row(note)?[likes] == .value(.counter(0)))
        try await store.close()
    }

    @Test func onlyACounterOfTheEntityIsIncremented() async throws {
        let store = try await open()
        let note = try await store.write { tx in try tx.insert(Note("a")).id.object }.value
        try await store.write { tx in
            try tx.increment(note, "likes", by: 3)
            let unknown = #expect(throws: StoreError.self) { try tx.increment(note, "like") }
            #expect(unknown?.code == .unknownProperty)
            let text = #expect(throws: StoreError.self) { try tx.increment(note, "text") }
            #expect(text?.code == .typeMismatch)
            try tx.increment(note, "likes", by: -1)
        }
        #expect(try store.row(note)?[Property("likes", .counter)] == .value(.counter(2)))
        try await store.close()
    }

    @Test func aRestoredObjectDoesNotMergeIntoAnother() async throws {
        let store = try await open()
        let old = try await store.write { tx in try tx.insert(Note("a", text: "old")) }.value
        try await store.write { tx in try tx.delete(old.id) }
        try await store.write { tx in try tx.insert(Note("a", text: "new")) }
        try await store.write { tx in
            let error = #expect(throws: StoreError.self) { try tx.restore(old) }
            #expect(error?.code == .duplicateKey)
        }
        #expect(try store.fetch(Note.all).map(\.text) == ["new"])
        try await store.close()
    }

    @Test func anUpsertLinksTheObjectThatHasTheKey() async throws {
        let store = try await open()
        let tag = try await store.write { tx in try tx.insert(Tag()).id }.value
        let note = try await store.write { tx in try tx.insert(Note("a")).id }.value
        try await store.write { tx in
            var same = Note("a", text: "again")
            same.tags = [tag]
            let result = try tx.upsert(same)
            #expect(result.id == note && result.outcome == .updated)
            same.name = "b"
            #expect(try tx.upsert(same).outcome == .inserted)
        }
        let notes = try store.fetch(Note.all)
        #expect(notes.map { Array($0.tags) } == [[tag], [tag]])
        try await store.close()
    }

    @Test func anUpsertThatKeepsWhatIsStoredAddsNoLinks() async throws {
        let store = try await open()
        let tags = try await store.write { tx in [try tx.insert(Tag()).id, try tx.insert(Tag()).id] }.value
        let note = try await store.write { tx in
            var note = Note("a", text: "first")
            note.tags = [tags[0]]
            return try tx.insert(note).id
        }.value
        let token = store.token
        try await store.write { tx in
            var same = Note("a", text: "again")
            same.tags = [tags[1]]
            let result = try tx.upsert(same, policy: .keepStored)
            #expect(result.id == note && result.outcome == .unchanged)
        }
        #expect(store.token == token)
        #expect(try store.get(note)?.text == "first" && store.get(note)?.tags == [tags[0]])
        // A new one has what it is given.
        try await store.write { tx in
            var new = Note("b")
            new.tags = [tags[1]]
            let result = try tx.upsert(new, policy: .keepStored)
            #expect(result.outcome == .inserted)
        }
        #expect(try store.fetch(Note.all).map { Array($0.tags) } == [[tags[0]], [tags[1]]])
        try await store.close()
    }

    @Test func aOneToOneHasOneAtEachEnd() async throws {
        let store = try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
        let (owner, first) = try await store.write { tx in
            let owner = try tx.insert(Attachment(post: nil)).id
            return (owner, try tx.insert(ImageData(data: Blob([1]), attachment: owner)).id)
        }.value
        // By an insert, by an update, and from the other end.
        let second = try await store.write { tx in try tx.insert(ImageData(data: Blob([2]), attachment: owner)).id }
        #expect(try store.get(first)?.attachment == nil && store.get(owner)?.imageData == second.value)
        try await store.write { tx in try tx.update(first) { $0.attachment = owner } }
        #expect(try store.get(second.value)?.attachment == nil && store.get(owner)?.imageData == first)
        try await store.write { tx in try tx.update(owner) { $0.imageData = second.value } }
        #expect(try store.get(first)?.attachment == nil && store.get(second.value)?.attachment == owner)
        // What was displaced is part of the transaction, and goes back with it.
        try await store.undo(store.replica, second.token.vector.sequence(of: store.replica))
        #expect(try store.get(second.value) == nil && store.count(ImageData.all) == 1)
        try await store.close()
    }

    @Test func anUpsertReadsNewContentOnce() async throws {
        let store = try await open()
        let made = Opened()
        try await store.write { tx in
            var note = Note("a")
            note.content = Blob(
                ProducedContent(length: 3) {
                    made.count.wrappingAdd(1, ordering: .relaxed)
                    var rest: [UInt8] = [1, 2, 3]
                    return { buffer in
                        let count = rest.count
                        for index in 0..<count { buffer[index] = rest[index] }
                        rest = []
                        return count
                    }
                })
            try tx.upsert(note)
        }
        #expect(made.count.load(ordering: .relaxed) == 1)
        try await store.close()
    }

    @Test func anAuthorHasAtMost1024Bytes() async throws {
        let store = try await open()
        try await store.write(author: String(repeating: "é", count: 512)) { tx in try tx.insert(Note("a")) }
        let error = await #expect(throws: StoreError.self) {
            try await store.write(author: String(repeating: "é", count: 513)) { tx in try tx.insert(Note("b")) }
        }
        #expect(error?.code == .tooLarge)
        try await store.write { tx in try tx.insert(Note("c")) }
        #expect(try store.count(Note.all) == 2)
        try await store.close()
    }
}
