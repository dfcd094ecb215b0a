import Storage
import Strandline
import Testing

/// Names that Swift takes for equal strings, and that are two names here.
@Suite struct HistoryFilterTests {
    private static let composed = "Caf\u{E9}"
    private static let decomposed = "Cafe\u{301}"

    /// A store with an object of each of two entities, written by two authors, one with each of two properties.
    private func open() async throws -> Store {
        let store = try await Store.open(.inMemory)
        for name in [Self.composed, Self.decomposed] {
            try await store.write(author: name) { tx in
                let property = Property(name, .string)
                try tx.declare(EntityDeclaration(name: name, fields: [FieldDeclaration(property)]))
                let id = try tx.insert(name, [PropertyValue(property, .string("a"))])
                try tx.update(id, [PropertyValue(property, .string("b"))])
            }
        }
        return store
    }

    @Test func namesAndAuthorsAreComparedByTheirBytes() async throws {
        let store = try await open()
        for name in [Self.composed, Self.decomposed] {
            for filter in [
                HistoryFilter(entity: name), HistoryFilter(property: name), HistoryFilter(author: name),
            ] {
                var authors: [[UInt8]] = []
                for try await transaction in store.history(after: nil, filter) {
                    authors.append(Array(transaction.header.author.utf8))
                }
                #expect(authors == [Array(name.utf8)], "\(filter)")
            }
        }
        try await store.close()
    }

    @Test func predicatesFindThePropertyWithTheBytesOfTheName() async throws {
        let store = try await Store.open(.inMemory)
        let (first, second) = (Property(Self.composed, .int), Property(Self.decomposed, .string))
        try await store.write { tx in
            try tx.declare(
                EntityDeclaration(name: "Note", fields: [FieldDeclaration(first), FieldDeclaration(second)]))
            try tx.insert("Note", [PropertyValue(first, .int(1)), PropertyValue(second, .string("x"))])
        }
        #expect(
            try store.count(of: "Note", where: .compare(.property(Self.composed), .equal, .constant(.int(1)))) == 1)
        #expect(
            try store.count(of: "Note", where: .compare(.property(Self.decomposed), .equal, .constant(.string("x")))) == 1)
        let error = #expect(throws: StoreError.self) {
            try store.count(of: "Note", where: .compare(.property(Self.composed), .equal, .constant(.string("x"))))
        }
        #expect(error?.code == .invalidPredicate)
        try await store.close()
    }
}
