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

    /// `STRANDLINE_SEEDS` says how many histories; a few will do to meet everything.
    @Test func readsRandomStores() async throws {
        let seeds = ProcessInfo.processInfo.environment["STRANDLINE_SEEDS"].flatMap { UInt64($0) } ?? 12
        var met: Set<String> = []
        for seed in 1...max(12, seeds) {
            for (number, files) in try await RandomStores(seed: seed).run().enumerated() {
                let text = try await check(files, "seed \(seed), store \(number)")
                for (what, mark) in Self.marks where text.contains(mark) { met.insert(what) }
            }
        }
        #expect(met == Set(Self.marks.keys))
    }

    private static let marks = [
        "held": "\nheld ", "new replica ids": "\n  rename from ", "voids": " void\n", "deletes": "\n  delete ",
        "restores": "\n  restore ",
        "edges": "\n  edge ",
        "increments": "\n  increment ", "old values": "\" of ", "contexts": "\n  knows ",
    ]

    /// Every flipped bit of a log is noticed, or lies where nothing is kept.
    @Test(arguments: [0, 1, 2, 3, 4, 5] as [UInt64]) func refusesDamage(_ seed: UInt64) async throws {
        let machine = FormatMachine(seed: seed)
        let recipe = try #require(FormatRecipe.all.first { $0.name == "changes" })
        var files = try await recipe.make()
        let name = try #require(files.contents.keys.first { $0.hasSuffix(".seg") })
        var bytes = try #require(files.contents[name])
        // The header, or the first frame: 64 bytes and an index of nothing.
        let offset = seed % 2 == 0 ? Int(machine.random.next() % 112) : 12_288 + Int(machine.random.next() % 68)
        bytes[offset] ^= 1 << UInt8(machine.random.next() % 8)
        files.replace(name, with: bytes)
        let read = try withFiles(files) { try SpecReader.list($0) }
        #expect(read.status == 1, "byte \(offset) of \(name) was flipped")
    }

    /// Compares what the engine and the reader say of a store; returns it.
    @discardableResult
    private func check(_ files: StoreFiles, _ what: String = "") async throws -> String {
        let scratch = Environment.inMemory()
        try files.write(to: "/store", in: scratch.fileSystem)
        let expected = try await StoreListing.text(at: "/store", in: scratch)
        let read = try withFiles(files) { try SpecReader.list($0) }
        #expect(read.status == 0, "\(what) \(read.complaint)")
        #expect(read.text == expected, "\(what)")
        return expected
    }

    private func withFiles<Result>(_ files: StoreFiles, _ body: (String) throws -> Result) throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "strandline-spec-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try files.write(to: path, in: Environment.system.fileSystem)
        return try body(path)
    }
}
