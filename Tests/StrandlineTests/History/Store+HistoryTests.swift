import EventLog
import SampleModel
import Storage
import Strandline
import Testing

@Suite struct StoreHistoryTests {
    private let environment = Environment.inMemory()

    private func open(_ name: String, _ dataset: DatasetID? = nil) async throws -> Store {
        var options = Store.Options()
        options.dataset = dataset
        return try await Store.open(
            .environment("/\(name)", environment), Post.self, Attachment.self, ImageData.self, options: options)
    }

    /// A store by which a newer version wrote: one note, something unknown, and one more note.
    private func writeAsNewerVersion(_ name: String, _ dataset: DatasetID) throws -> ReplicaID {
        let log = try EventLog.create(at: "/\(name)", in: environment, dataset: dataset)
        for sequence in 1...3 {
            let open = try log.begin()
            let header = open.header
            if sequence == 2 {
                var part = ByteWriter()
                part.u8(0)
                part.u64(header.timestamp.rawValue)
                part.string(header.author)
                // No context, and no origins, entities and columns; one change of a kind that must be known, without content.
                for byte in [0, 0, 0, 0, 0x21, 0] as [UInt8] { part.u8(byte) }
                try open.add(part: part.bytes)
            } else {
                let builder = try TransactionBuilder(
                    origin: header.origin, sequence: header.sequence, timestamp: header.timestamp, author: header.author,
                    context: header.context, sink: { try open.add(part: $0) })
                try builder.insert("Note", [PropertyValue(Property("text", .string), .string("\(sequence)"))])
                _ = try builder.finish()
            }
            try log.finish(open)
        }
        try log.flush()
        let replica = log.replica
        try log.close()
        return replica
    }

    @Test func whatCannotBeReadIsNotCovered() async throws {
        let store = try await open("left")
        let newer = try writeAsNewerVersion("right", store.dataset)
        let report = try await store.sync(with: .store(path: "/right"))
        #expect(report.imported.transactions == 3)

        let note = { (sequence: UInt64) in ObjectID(replica: newer, sequence: sequence, index: 0) }
        #expect(try store.row(note(1)) != nil && store.row(note(3)) == nil)
        let token = store.token
        #expect(token.vector.sequence(of: newer) == 1)
        let receipt = try await store.write { tx in try tx.insert(Post(title: "own")).id }
        #expect(receipt.token.vector.sequence(of: newer) == 1)
        #expect(receipt.token.vector.sequence(of: store.replica) > token.vector.sequence(of: store.replica))
        #expect(try await store.info().token == receipt.token)

        var seen: [TransactionHeader] = []
        for try await transaction in store.history() { seen.append(transaction.header) }
        #expect(seen.filter { $0.origin == newer }.map(\.sequence) == [1])
        for try await transaction in store.history(after: token) { #expect(transaction.header.origin == store.replica) }
        let snapshot = try await store.snapshot(at: receipt.token)
        #expect(try snapshot.digest() == store.digest())
        await #expect(throws: StoreError.self) { try await store.undo(newer, 3) }
        try await store.close()
    }

    @Test func aStoreThatCannotReadItsOwnHistoryIsNotWritten() async throws {
        let store = try await open("left")
        _ = try writeAsNewerVersion("right", store.dataset)
        try await store.close()
        let error = await #expect(throws: StoreError.self) { try await open("right") }
        #expect(error?.code == .unsupportedVersion)
    }

    @Test func whatAnotherProcessWroteCanBeTakenBack() async throws {
        let first = try await open("store")
        let second = try await open("store")
        let post = try await second.write { tx in try tx.insert(Post(title: "other")).id }
        let sequence = post.token.vector.sequence(of: second.replica)
        #expect(try await first.undo(second.replica, sequence).value.leftovers == [])
        #expect(try first.count(Post.all) == 0)
        try await first.close()
        try await second.close()
    }

    @Test func aRelaxedWriteCanBeTakenBack() async throws {
        let store = try await open("store")
        let post = try await store.write(durability: .relaxed) { tx in try tx.insert(Post(title: "soon")).id }.value
        #expect(try await store.undo(post.object.replica, post.object.sequence).value.leftovers == [])
        #expect(try store.get(post) == nil)
        try await store.close()
    }
}
