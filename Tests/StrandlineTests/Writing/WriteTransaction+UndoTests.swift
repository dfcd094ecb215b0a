import Strandline
import Testing

private struct Note: Entity {
    var id = ID()
    var name: String?
    var text = ""
    static let schema = Schema<Self>("Note") {
        Field("name", \.name, .unique)
        Field("text", \.text)
    }

    init() {}
    init(_ name: String?) { self.name = name }
}

/// Undo and unique keys: taking back one write must not make one object of two.
@Suite struct WriteTransactionUndoTests {
    private func open() async throws -> Store { try await Store.open(.inMemory, Note.self) }

    /// Undoes the transaction whose sequence a token ends with.
    private func undo(_ token: HistoryToken, in store: Store) async throws -> [UndoLeftover] {
        try await store.undo(store.replica, token.vector.sequence(of: store.replica)).value.leftovers
    }

    /// Expects an undo to be refused because of `other`, and to leave everything as it was.
    private func expectRefusal(
        _ token: HistoryToken, in store: Store, of id: Note.ID, by other: Note.ID, location: SourceLocation = #_sourceLocation
    ) async throws {
        let (digest, count) = (try store.digest(), try store.count(Note.all))
        let error = await #expect(throws: StoreError.self, sourceLocation: location) { try await undo(token, in: store) }
        #expect(error?.code == .duplicateKey, sourceLocation: location)
        #expect(error?.objects == [id.object, other.object], sourceLocation: location)
        #expect(try store.digest() == digest && store.count(Note.all) == count, sourceLocation: location)
    }

    @Test func aKeyThatAnotherObjectHasIsNotGivenBack() async throws {
        let store = try await open()
        let first = try await store.write { tx in try tx.insert(Note("a")).id }.value
        let change = try await store.write { tx in
            try tx.update(first) {
                $0.name = "b"
                $0.text = "changed"
            }
        }
        let second = try await store.write { tx in try tx.insert(Note("a")).id }.value
        try await expectRefusal(change.token, in: store, of: first, by: second)
        // Once the key is free again it goes.
        try await store.write { tx in try tx.update(second) { $0.name = "c" } }
        #expect(try await undo(change.token, in: store) == [])
        #expect(try store.get(first)?.name == "a" && store.get(first)?.text == "" && store.get(second)?.name == "c")
        try await store.close()
    }

    @Test func anObjectWhoseKeyAnotherHasIsNotRevived() async throws {
        let store = try await open()
        let first = try await store.write { tx in try tx.insert(Note("a")).id }.value
        let change = try await store.write { tx in try tx.delete(first) }
        let second = try await store.write { tx in try tx.insert(Note("a")).id }.value
        try await expectRefusal(change.token, in: store, of: first, by: second)
        try await store.write { tx in try tx.delete(second) }
        #expect(try await undo(change.token, in: store) == [])
        #expect(try store.fetch(Note.all).map(\.id) == [first])
        try await store.close()
    }

    @Test func keysThatWerePassedOnGoBackTogether() async throws {
        let store = try await open()
        let (first, second) = try await store.write { tx in (try tx.insert(Note("a")).id, try tx.insert(Note("b")).id) }.value
        let change = try await store.write { tx in
            try tx.update(first) { $0.name = nil }
            try tx.update(second) { $0.name = "a" }
            try tx.update(first) { $0.name = "b" }
        }
        #expect(try await undo(change.token, in: store) == [])
        #expect(try store.get(first)?.name == "a" && store.get(second)?.name == "b")
        try await store.close()
    }

    @Test func severalAreTakenBackOneAfterTheOtherAndAgain() async throws {
        let store = try await open()
        let note = try await store.write { tx in try tx.insert(Note("a")).id }.value
        var tokens: [HistoryToken] = []
        for text in ["1", "2", "3"] {
            tokens.append(try await store.write { tx in try tx.update(note) { $0.text = text } }.token)
        }
        var undos: [HistoryToken] = []
        for (token, text) in zip(tokens.reversed(), ["2", "1", ""]) {
            #expect(try await undo(token, in: store) == [])
            #expect(try store.get(note)?.text == text)
            undos.append(store.token)
        }
        for (token, text) in zip(undos.reversed(), ["1", "2", "3"]) {
            #expect(try await undo(token, in: store) == [])
            #expect(try store.get(note)?.text == text)
        }
        try await store.close()
    }

    @Test func whatSomebodyWroteByHimselfIsOverwrittenThoughTheSame() async throws {
        let store = try await open()
        let note = try await store.write { tx in try tx.insert(Note("a")).id }.value
        let first = try await store.write { tx in try tx.update(note) { $0.text = "1" } }.token
        try await store.write { tx in try tx.update(note) { $0.text = "2" } }
        try await store.write { tx in try tx.update(note) { $0.text = "1" } }
        #expect(try await undo(first, in: store).map(\.reason) == [.overwritten])
        #expect(try store.get(note)?.text == "1")
        try await store.close()
    }

    @Test func aChangeUnderAnUndoneDeleteIsTakenBack() async throws {
        let store = try await open()
        let note = try await store.write { tx in try tx.insert(Note("a")).id }.value
        let change = try await store.write { tx in try tx.update(note) { $0.text = "1" } }.token
        let delete = try await store.write { tx in try tx.delete(note) }.token
        let back = try await store.undo(store.replica, delete.vector.sequence(of: store.replica)).value
        #expect(back.restored == 1 && back.leftovers == [] && back.description == "1 restored")
        #expect(try await undo(change, in: store) == [])
        #expect(try store.get(note)?.text == "")
        // Once more there is nothing to take back.
        let again = try await store.undo(store.replica, change.vector.sequence(of: store.replica)).value
        #expect(again.isEmpty && again.description == "nothing undone, 1 left")
        try await store.close()
    }
}
