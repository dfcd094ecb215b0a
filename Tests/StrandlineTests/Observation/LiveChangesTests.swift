import SampleModel
import Storage
import Strandline
import Testing

@Suite("Live changes", .timeLimit(.minutes(10)))
struct LiveChangesTests {
    private func open(_ environment: Environment) async throws -> Store {
        try await Store.open(.environment("/store", environment), Post.self, Attachment.self, ImageData.self)
    }

    @Test("each transaction tells what it inserted, updated and deleted, and who wrote it")
    func transactions() async throws {
        let environment = Environment.inMemory()
        let store = try await open(environment)
        let other = try await open(environment)
        var changes = store.changes(of: Post.self).makeAsyncIterator()
        let (a, b) = try await store.write(author: "here") { tx in
            let a = try tx.insert(Post(title: "a"))
            try tx.update(a.id) { $0.views = 1 }
            let gone = try tx.insert(Post(title: "gone"))
            try tx.delete(gone.id)
            return (a.id, try tx.insert(Post(title: "b")).id)
        }.value
        let first = try #require(try await changes.next())
        #expect(first.isOwn && first.header.author == "here")
        #expect(first.objects.map(\.entity) == ["Post"])
        #expect(first["Post"]?.inserted == [a.object, b.object])
        #expect(first["Post"]?.updated == [] && first["Post"]?.deleted == [])

        // Attachments alone are nobody's here.
        try await other.write { tx in _ = try tx.insert(Attachment(name: "x", post: a)) }
        try await other.write(author: "there") { tx in
            try tx.update(b) { $0.views = 5 }
            try tx.delete(a)
        }
        let second = try #require(try await changes.next())
        #expect(!second.isOwn && second.header.author == "there")
        #expect(second["Post"]?.updated == [b.object] && second["Post"]?.deleted == [a.object])
        #expect(second["Attachment"] == nil && second.objects.count == 1)

        try await store.write { tx in
            var back = Post(title: "back")
            back.id = a
            try tx.restore(back)
            try tx.delete(b)
            var again = Post(title: "again")
            again.id = b
            try tx.restore(again)
        }
        let third = try #require(try await changes.next())
        #expect(third.isOwn)
        #expect(third["Post"]?.inserted == [a.object] && third["Post"]?.updated == [b.object])
        try await store.close()
        try await other.close()
    }

    @Test("all entities, from a token on, none left out however late they are taken")
    func late() async throws {
        let environment = Environment.inMemory()
        let store = try await open(environment)
        let other = try await open(environment)
        let token = store.token
        for number in 0..<300 {
            try await (number % 3 == 0 ? other : store).write { tx in
                let post = try tx.insert(Post(title: "\(number)"))
                try tx.insert(Attachment(name: "\(number)", post: post.id))
            }
        }
        var changes = store.changes(after: token).makeAsyncIterator()
        for number in 0..<300 {
            let transaction = try #require(try await changes.next())
            #expect(transaction.objects.map(\.entity) == ["Attachment", "Post"])
            #expect(transaction.objects.allSatisfy { $0.inserted.count == 1 })
            #expect(transaction.isOwn == (number % 3 != 0), "\(number)")
        }
        // The other one's own are the rest.
        var others = other.changes(of: Attachment.self, after: token).makeAsyncIterator()
        for number in 0..<300 { #expect(try await others.next()?.isOwn == (number % 3 == 0)) }
        try await store.close()
        try await other.close()
    }

    @Test("a cancelled task ends while it waits")
    func cancellation() async throws {
        let store = try await open(.inMemory())
        let changes = store.changes()
        let task = Task {
            var count = 0
            for try await _ in changes { count += 1 }
            return count
        }
        try await store.write { tx in _ = try tx.insert(Post(title: "x")) }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(try await task.value <= 1)
        try await store.close()
    }
}
