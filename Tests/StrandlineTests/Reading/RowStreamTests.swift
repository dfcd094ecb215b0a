import SampleModel
import Strandline
import Testing

@Suite struct RowStreamTests {
    @Test(arguments: [false, true]) func pagesAreTheRowsInTheirOrder(isCompact: Bool) async throws {
        let store = try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
        try await store.write { tx in
            for number in 0..<20_000 { try tx.insert(Post(title: "\(number % 7)", views: number &* 7_919 % 20_000)) }
        }
        if isCompact { try await store.compact() }
        // Some lie beside the blocks.
        try await store.update(Post.where { $0.views < 50 }) { $0.title = "new" }
        let snapshot = try store.snapshot()
        for (sort, properties) in [("views", ["title", "views"]), ("-title,views", nil)] {
            let keys = try SortKey.parse(sort)
            let stream = try snapshot.stream(of: "Post", where: .always(true), sortedBy: keys, properties: properties)
            #expect(stream.count == 20_000)
            var rows: [Row] = []
            try stream.forEachRow { rows.append($0) }
            let expected = try snapshot.rows(of: "Post", sortedBy: keys, properties: properties)
            #expect(rows == expected)
        }
        try await store.close()
    }
}
