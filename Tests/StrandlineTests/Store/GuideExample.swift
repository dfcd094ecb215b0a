// The listings of docs/GUIDE.md, line by line; a test holds the two together.

import Strandline
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct GuideExample {
    struct Author: Entity {
        var id = ID()
        var name = ""
        var books = Many<Book>()
        static let schema = Schema<Self>("Author") {
            Field("name", \.name, .unique)
            Field("books", \.books, inverse: \.author, onDelete: .cascade)
        }
    }

    struct Book: Entity {
        var id = ID()
        var title = ""
        var year: Int?
        var price = 0.0
        var copies = Counter()
        var author: One<Author> = nil
        var shelves = Many<Shelf>()
        static let schema = Schema<Self>("Book") {
            Field("title", \.title, .indexed)
            Field("year", \.year)
            Field("price", \.price)
            Field("copies", \.copies)
            Field("author", \.author, inverse: \.books)
            Field("shelves", \.shelves, inverse: \.books)
        }
    }

    struct Shelf: Entity {
        var id = ID()
        var name = ""
        var books = Many<Book>()
        static let schema = Schema<Self>("Shelf") {
            Field("name", \.name, .unique)
            Field("books", \.books, inverse: \.shelves)
        }
    }

    /// What the listings print or show.
    final class Heard: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    let url: URL
    let shared: URL
    let heard = Heard()

    init(in directory: URL) {
        url = directory.appending(path: "store")
        shared = directory.appending(path: "shared")
    }

    func run() async throws {
        var options = Store.Options()
        options.cacheBytes = 32 << 20
        options.onReport = { report in log("\(report)") }
        let store = try await Store.open(at: url, Author.self, Book.self, Shelf.self, options: options)

        let receipt = try await store.write(author: "librarian") { tx in
            let author = try tx.insert(Author(name: "Tove Jansson"))
            let shelf = try tx.insert(Shelf(name: "Children"))
            let book = try tx.insert(Book(title: "Moominland Midwinter", year: 1957, author: author.id))
            try tx.update(book.id) {
                $0.price = 9.5
                $0.copies += 3
                $0.shelves.insert(shelf.id)
            }
            return book.id
        }
        let book = receipt.value

        let (author, outcome) = try await store.write { tx in try tx.upsert(Author(name: "Tove Jansson")) }.value
        do {
            try await store.write { tx in _ = try tx.insert(Author(name: "Tove Jansson")) }
        } catch let error as StoreError where error.code == .duplicateKey {
            log("\(outcome), and refused: \(error)")
        }

        try ask(store, book, author)
        try await change(store, book)
        try await store.close()
    }

    private func log(_ line: String) { heard.add(line) }

    private func show(_ books: [Book]) { heard.add("shown: \(books.map(\.title))") }

    private func ask(_ store: Store, _ book: Book.ID, _ author: Author.ID) throws {
        let hers = Book.where { $0.price < 10 && $0.author.name == "Tove Jansson" }
        let cheap = try store.fetch(hers.sorted(by: \.title).limit(20))
        let old = try store.fetch(Book.matching(#Predicate { ($0.year ?? 0) < 1960 }))
        let typed = try Filter("title BEGINSWITH[cd] 'moomin' AND ANY shelves.name == 'Children'")
        let found = try store.fetch(FetchRequest<Book>(typed))
        let count = try store.count(Book.where { $0.author == author })
        let one = try store.get(book)
        heard.add("found: \(cheap.count) \(old.count) \(found.count) \(count) \(one?.copies.value ?? 0)")

        let pairs = try store.fetch(Book.all.select(\.title, \.price))
        for (title, price) in pairs { log("\(title): \(price)") }

        let groups = try store.groups(
            of: "Book", by: [PropertyPath("author.name")], [.count, Aggregate(.avg, PropertyPath("price"))],
            having: try Filter("`avg:price` < 100"))
        for (keys, values) in groups { log("\(keys[0]): \(values[0]) books, \(values[1]) each") }
    }

    private func change(_ store: Store, _ book: Book.ID) async throws {
        try await store.update(Book.where { $0.price > 5 }) { $0.price -= 1 }
        try await store.delete(Book.where { $0.year == nil })

        let before = store.token
        let snapshot = try store.snapshot()
        try await store.write { tx in try tx.update(book) { $0.title = "Trollvinter" } }
        let then = try snapshot.get(book)
        let past = try await store.snapshot(at: before)
        heard.add("then: \(then?.title ?? "") \(try past.get(book)?.title ?? "") \(try store.get(book)?.title ?? "")")

        let live = Task {
            for try await books in store.values(of: Book.all.sorted(by: \.title)) { show(books) }
        }
        let elsewhere = Task {
            for try await transaction in store.changes(of: Book.self) where !transaction.isOwn {
                log("from another process or replica: \(transaction["Book"]?.updated ?? [])")
            }
        }
        while !heard.all.contains("shown: [\"Trollvinter\"]") { try await Task.sleep(for: .milliseconds(1)) }

        for try await transaction in store.history(after: before) {
            log("\(transaction)")
            let undo = try await store.undo(transaction.header.origin, transaction.header.sequence, author: "librarian").value
            for leftover in undo.leftovers { log("\(leftover.object): \(leftover.reason)") }
        }

        let synced = store.token
        try await store.sync(with: .folder(shared))
        let events = store.syncEvents()
        let replication = try await store.replicate(with: .folder(shared))
        for await event in events where event.kind == .export && event.ended != nil {
            log("exported \(event.transactions) transactions")
            break
        }
        replication.stop()
        for conflict in try await store.conflicts(since: synced) {
            let lost = conflict.losers.map(\.value)
            log("\(conflict.object) \(conflict.property.name): \(conflict.winner.value) over \(lost)")
        }
        heard.add("undone: \(try store.get(book)?.title ?? "")")
        live.cancel()
        elsewhere.cancel()
    }
}

extension GuideExample.Author {
    init(name: String) { self.name = name }
}

extension GuideExample.Shelf {
    init(name: String) { self.name = name }
}

extension GuideExample.Book {
    init(title: String, year: Int? = nil, author: One<GuideExample.Author> = nil) {
        self.title = title
        self.year = year
        self.author = author
    }
}
