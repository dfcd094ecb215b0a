import EventLog
import Simulation
import Storage
import Testing

@Suite struct BlobStoreVerifyTests {
    let disk: SimulatedFileSystem
    let store: BlobStore

    init() throws {
        disk = try BlobFixture.disk()
        store = BlobFixture.store(disk)
    }

    private func path(_ id: BlobID) -> String { "/store/blobs/\(id.description.prefix(2))/\(id)" }

    @Test func findsAFlippedBitAnywhere() throws {
        let bytes = BlobFixture.content(530_000)
        let reference = try store.write(bytes)
        let places = [0, 1, 65_535, 65_536, 524_287, 524_288, 529_999] + stride(from: 7, to: 530_000, by: 26_501)
        for (place, bit) in places.enumerated().map({ ($1, $0 % 8) }) {
            let flipped = [bytes[place] ^ (1 << bit)]
            let file = try disk.open(path(reference.id), .readWrite)
            try file.write(flipped.span, at: UInt64(place))
            let damage = try store.verify().damaged
            #expect(damage.map(\.id) == [reference.id])
            #expect(damage.first?.actual != nil)
            let error = #expect(throws: LogError.self) { try store.open(reference.id).verify() }
            #expect(error?.code == .blobDamaged)
            #expect(error?.path == path(reference.id))
            try file.write([bytes[place]].span, at: UInt64(place))
        }
        #expect(try store.verify().isClean)
    }

    @Test func findsEveryWrongLength() throws {
        let reference = try store.write(BlobFixture.content(70_000))
        for length in [0, 1, 69_999, 70_001, 600_000] as [UInt64] {
            try disk.open(path(reference.id), .readWrite).truncate(to: length)
            #expect(try store.verify().damaged.map(\.id) == [reference.id])
            #expect(throws: LogError.self) { try store.open(reference.id).verify() }
        }
    }

    @Test func reportsWhatDoesNotBelongAndReportsProgress() throws {
        let reference = try store.write(BlobFixture.content(70_000))
        let name = reference.id.description
        try disk.createDirectories("/store/blobs/zz/\(name)")
        let other = name.hasPrefix("00") ? "01" : "00"
        try disk.createDirectories("/store/blobs/\(other)/\(name.dropLast())")
        try disk.copy(path(reference.id), to: "/store/blobs/\(other)/\(name)")
        try disk.copy(path(reference.id), to: "/store/blobs/\(other)/\(name).bak")
        try disk.copy(path(reference.id), to: "/store/blobs/\(name)")
        var steps: [UInt64] = []
        let result = try store.verify { _, bytes in steps.append(bytes) }
        #expect(result.misplaced == ["/store/blobs/\(other)/\(name)"])
        #expect(
            result.unknown.sorted()
                == [
                    "/store/blobs/\(other)/\(name.dropLast())", "/store/blobs/\(other)/\(name).bak", "/store/blobs/\(name)",
                    "/store/blobs/zz",
                ].sorted())
        #expect(result.damaged == [])
        #expect(steps == [70_000, 140_000])
        #expect(try store.list().map(\.id) == [reference.id])
    }

    @Test func aFileThatCannotBeReadIsDamaged() throws {
        let reference = try store.write(BlobFixture.content(70_000))
        disk.failOperation(at: 0, operations: .read)
        let damage = try store.verify().damaged
        #expect(damage.map(\.id) == [reference.id])
        #expect(damage.first?.failure?.code == .inputOutput)
    }

    @Test func whatProgressThrowsEndsTheWork() throws {
        _ = try store.write(BlobFixture.content(70_000))
        #expect(throws: BlobStoreTests.SourceFailure.self) {
            _ = try store.verify { _, _ in throw BlobStoreTests.SourceFailure() }
        }
    }
}
