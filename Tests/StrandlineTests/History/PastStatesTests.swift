import EventLog
import SampleModel
import Storage
import Strandline
import Testing

@Suite struct PastStatesTests {
    private let environment = Environment.inMemory()

    private func open(isReadOnly: Bool = false) async throws -> Store {
        var options = LiveStateRunsTests.options()
        options.isReadOnly = isReadOnly
        return try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self, options: options)
    }

    private func runs() throws -> [String] {
        try environment.fileSystem.list("/store/tmp").flatMap { try environment.fileSystem.list("/store/tmp/\($0)") }
    }

    /// Writes some posts, and gives the token after each transaction.
    private func fill(_ store: Store) async throws -> [HistoryToken] {
        var tokens: [HistoryToken] = []
        for round in 0..<20 {
            tokens.append(
                try await store.write { tx in
                    for number in 0..<20 { _ = try tx.insert(Post(title: "\(round).\(number)", views: round)) }
                }.token)
        }
        return tokens
    }

    @Test func whatWasFoldedIsUsedAgain() async throws {
        let store = try await open()
        let tokens = try await fill(store)
        let early = try await store.snapshot(at: tokens[4])
        let first = store.appliedToThePast
        #expect(first > 0 && first < 12)
        let again = try await store.snapshot(at: tokens[4])
        #expect(store.appliedToThePast == first)
        let late = try await store.snapshot(at: tokens[11])
        #expect(store.appliedToThePast == first + 7)
        // The last is the present.
        let now = try await store.snapshot(at: tokens[19])
        #expect(store.appliedToThePast == first + 7)
        for (snapshot, rounds) in [(early, 5), (again, 5), (late, 12), (now, 20)] {
            #expect(try snapshot.count(Post.all) == rounds * 20)
            #expect(try snapshot.fetch(Post.where { $0.views >= rounds - 1 }).count == 20)
        }
        try await store.close()
        #expect(try early.count(Post.all) == 100)
    }

    @Test func runsGoWithTheSnapshotAndItsStore() async throws {
        let store = try await open()
        let tokens = try await fill(store)
        for token in tokens.dropLast() {
            _ = try await store.snapshot(at: token)
            #expect(try runs().count < 16)
        }
        #expect(try !runs().isEmpty)
        try await store.close()
        #expect(try environment.fileSystem.list("/store/tmp") == [])
    }

    /// A process that was killed leaves its runs; the next one removes them.
    @Test func leftoversGoWhenTheStoreIsOpened() async throws {
        try await open().close()
        try environment.fileSystem.createDirectories("/store/tmp/past-0123456789abcdef")
        try environment.fileSystem.replace("/store/tmp/past-0123456789abcdef/1.run", with: [1, 2, 3])
        let store = try await open()
        #expect(try environment.fileSystem.list("/store/tmp") == [])
        // What somebody uses stays.
        let tokens = try await fill(store)
        let past = try await store.snapshot(at: tokens[9])
        let second = try await open()
        #expect(try !runs().isEmpty)
        #expect(try past.count(Post.all) == 200)
        try await second.close()
        try await store.close()
        #expect(try environment.fileSystem.list("/store/tmp") == [])
    }

    @Test func aStoreThatIsOnlyReadHasAPastToo() async throws {
        let store = try await open()
        let tokens = try await fill(store)
        try await store.close()
        let reader = try await open(isReadOnly: true)
        #expect(try await reader.snapshot(at: tokens[9]).count(Post.all) == 200)
        try await reader.close()
        #expect(try environment.fileSystem.list("/store/tmp") == [])
    }

    @Test func whatIsNotHereIsRefused() async throws {
        let store = try await open()
        let other = try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
        let foreign = await #expect(throws: StoreError.self) { try await store.snapshot(at: other.token) }
        #expect(foreign?.code == .wrongDataset)
        let copy = try await Store.create(.environment("/copy", environment), dataset: store.dataset)
        let ahead = try await copy.write { tx in try tx.declare(EntityDeclaration(name: "Note", fields: [])) }.token
        let unknown = await #expect(throws: StoreError.self) { try await store.snapshot(at: ahead) }
        #expect(unknown?.code == .notYetReceived)
        for each in [store, other, copy] { try await each.close() }
    }
}
