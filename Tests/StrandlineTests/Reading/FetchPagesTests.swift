import Strandline
import Testing

@Suite struct FetchPagesTests {
    private func requests() -> [FetchRequest<Thing>] {
        [Thing.all, Thing.all.sorted(by: \.number, .descending), Thing.where { $0.number < 0 }, Thing.all.offset(2).limit(11)]
    }

    @Test(arguments: [1, 7, 1_000]) func pagesTogetherAreTheFetchOfTheirMoment(size: Int) async throws {
        var world = try await World(seed: 21)
        for _ in 0..<2 {
            try await world.step(20)
            try await world.meet()
        }
        for request in requests() {
            let expected = try world.memory.fetch(request)
            let pages = try world.runs.pages(of: request, size: size)
            try await world.step(1)
            var read: [[Thing]] = []
            for try await page in pages { read.append(page) }
            #expect(read.joined().elementsEqual(expected))
            #expect(read.count == pages.count && read.allSatisfy { $0.count <= size })
            #expect(pages.objectCount == expected.count && pages.ids == expected.map(\.id))
            if let last = read.last { #expect(try pages.page(pages.count - 1) == last) }
            try await world.meet()
        }
        try await world.close()
    }
}
