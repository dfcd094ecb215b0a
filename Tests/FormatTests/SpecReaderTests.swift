import Foundation
import Simulation
import Storage
import Testing

/// A reader that a stranger could write from SPEC.md sees what the engine sees.
@Suite(.enabled(if: SpecReader.isAvailable), .serialized) struct SpecReaderTests {
    @Test(arguments: FormatRecipe.all.filter(\.isKept)) func readsTheKeptStores(_ recipe: FormatRecipe) throws {
        let read = try SpecReader.list(FormatFixtures.store(recipe.name))
        #expect(read.status == 0, "\(read.complaint)")
        #expect(read.text == (try FormatFixtures.expected(recipe.name)))
    }

    @Test(arguments: FormatRecipe.all) func readsWhatIsWrittenToday(_ recipe: FormatRecipe) async throws {
        try await check(try await recipe.make())
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64]) func readsRandomStores(_ seed: UInt64) async throws {
        let script = RandomStores(seed: seed)
        for files in try await script.run() { try await check(files) }
    }

    /// Every flipped bit of a log is noticed, or lies where nothing is kept.
    @Test(arguments: [0, 1, 2, 3, 4, 5] as [UInt64]) func refusesDamage(_ seed: UInt64) async throws {
        let machine = FormatMachine(seed: seed)
        let recipe = try #require(FormatRecipe.all.first { $0.name == "changes" })
        var files = try await recipe.make()
        let name = try #require(files.contents.keys.first { $0.hasSuffix(".seg") })
        var bytes = try #require(files.contents[name])
        // The header, or the first frame.
        let offset = Int(machine.random.next() % 112) + (seed % 2 == 0 ? 0 : 12_288)
        bytes[offset] ^= 1 << UInt8(machine.random.next() % 8)
        files.replace(name, with: bytes)
        let read = try withFiles(files) { try SpecReader.list($0) }
        #expect(read.status == 1, "byte \(offset) of \(name) was flipped")
    }

    private func check(_ files: StoreFiles) async throws {
        let scratch = Environment.inMemory()
        try files.write(to: "/store", in: scratch.fileSystem)
        let expected = try await StoreListing.text(at: "/store", in: scratch)
        let read = try withFiles(files) { try SpecReader.list($0) }
        #expect(read.status == 0, "\(read.complaint)")
        #expect(read.text == expected)
    }

    private func withFiles<Result>(_ files: StoreFiles, _ body: (String) throws -> Result) throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "strandline-spec-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try files.write(to: path, in: Environment.system.fileSystem)
        return try body(path)
    }
}
