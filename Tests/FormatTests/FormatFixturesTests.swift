import EventLog
import Storage
import Strandline
import Testing

/// Stores written by this version of the format must always open, and mean the same.
@Suite struct FormatFixturesTests {
    @Test(.enabled(if: FormatFixtures.isWriting), arguments: FormatRecipe.all.filter(\.isKept))
    func write(_ recipe: FormatRecipe) async throws {
        let files = try await recipe.make()
        let scratch = Environment.inMemory()
        try files.write(to: "/store", in: scratch.fileSystem)
        try FormatFixtures.write(recipe.name, files, expected: try await StoreListing.text(at: "/store", in: scratch))
    }

    @Test(.enabled(if: !FormatFixtures.isWriting), arguments: FormatRecipe.all.filter(\.isKept))
    func aKeptStoreOpensReadOnlyAndMeansTheSame(_ recipe: FormatRecipe) async throws {
        let path = FormatFixtures.store(recipe.name)
        let before = try StoreFiles(at: path, in: Environment.system.fileSystem)
        #expect(try await StoreListing.text(at: path, in: .system) == FormatFixtures.expected(recipe.name))
        let report = try EventLog.verify(at: path, in: .system)
        #expect(report.isSound, "\(report.problems)")
        #expect(try StoreFiles(at: path, in: Environment.system.fileSystem) == before, "reading changed the store")
    }

    /// A copy of it can be written to; everything before is still there.
    @Test(.enabled(if: !FormatFixtures.isWriting), arguments: FormatRecipe.all.filter(\.isKept))
    func aKeptStoreGoesOn(_ recipe: FormatRecipe) async throws {
        let machine = FormatMachine(seed: 1_000)
        try StoreFiles(at: FormatFixtures.store(recipe.name), in: Environment.system.fileSystem)
            .write(to: "/store", in: machine.files)
        let expected = try FormatFixtures.expected(recipe.name)
        try await machine.with("/store") { store in
            // Opening may lift holds whose time has come, and nothing else.
            if !expected.contains("\nheld ") { #expect(expected.contains("state digest \(try store.digest())\n")) }
            try await store.write(author: "later") { tx in _ = try tx.declare(FormatModel.declarations(version: 9)[0]) }
        }
        let text = try await StoreListing.text(at: "/store", in: machine.environment)
        let lines = Set(text.split(separator: "\n"))
        let lost = expected.split(separator: "\n").filter { line in
            !["state", "conte", "token", "held "].contains(line.prefix(5)) && !lines.contains(line)
        }
        #expect(lost.isEmpty)
    }

    /// What this version writes now reads as what it wrote when the fixtures were made.
    @Test(.enabled(if: !FormatFixtures.isWriting), arguments: FormatRecipe.all.filter(\.isKept))
    func theSameIsWrittenToday(_ recipe: FormatRecipe) async throws {
        let scratch = Environment.inMemory()
        try await recipe.make().write(to: "/store", in: scratch.fileSystem)
        #expect(try await StoreListing.text(at: "/store", in: scratch) == FormatFixtures.expected(recipe.name))
    }
}
