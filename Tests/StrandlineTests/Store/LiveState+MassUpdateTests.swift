import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

/// Updates of many objects that lie in runs: the same as if each had been changed by itself.
@Suite struct LiveStateMassUpdateTests {
    private let fixture = MassUpdateFixture()

    /// What the transactions of a store say, whatever the order in which each tells of its objects.
    private func told(_ store: Store) async throws -> [String] {
        var all: [String] = []
        // Two stores tell different times.
        var writers: [Timestamp: UInt64] = [:]
        for try await transaction in store.history() {
            all.append("\(transaction.header.sequence)")
            writers[transaction.header.timestamp] = transaction.header.sequence
            all += transaction.changes.map { change -> String in
                guard case .update(let object, let entity, let length, let assignments) = change else { return "\(change)" }
                return assignments.map {
                    "\(object) \(entity) \(length) \($0.property) \($0.new) \(String(describing: $0.old)) "
                        + "\($0.overwrote.map { "\($0.replica) \(writers[$0.timestamp] ?? 0)" } ?? "nothing")"
                }.joined(separator: "; ")
            }.sorted()
        }
        return all
    }

    private static let texts: [Value] = [
        .null, .string(""), .string("some text"), .string(String(repeating: "x", count: 5_000)),
    ]

    private func step(_ stores: [Store], _ random: inout SplitMix64) async throws {
        let bound = Int.random(in: 0..<60, using: &random)
        let number = Int.random(in: 1...90, using: &random)
        let text = Self.texts[Int.random(in: 0..<Self.texts.count, using: &random)]
        let kind = Int.random(in: 0..<8, using: &random)
        for store in stores {
            switch kind {
            case 0:
                try await store.write { tx in
                    // Other blocks in the run, so that what is written anew may be the smaller part of it.
                    _ = try tx.insert("Attachment", [])
                    _ = try tx.insert("ImageData", [])
                    for place in 0..<number {
                        _ = try tx.insert("Post", [PropertyValue(Property("views", .int), .int(Int64(place % 60)))])
                        _ = try tx.insert(Post(title: "t", content: "c\(place % 3)", views: place % 60))
                    }
                }
            case 1: try await store.update(Post.where { $0.views == bound }) { $0.views += 1 }
            case 2: try await store.delete(Post.where { $0.views == bound })
            case 3:
                try await store.update(
                    of: "Post", where: try Filter("views < \(bound)"),
                    set: [
                        PropertyValue(Property("views", .int), .int(Int64(number % 60))),
                        PropertyValue(Property("content", .string), text),
                    ])
            case 4:
                try await store.write { tx in
                    for id in try tx.ids(of: "Post", where: try Filter("views > \(bound)"), limit: 3) {
                        try tx.update(id, [PropertyValue(Property("views", .int), .int(Int64(bound)))])
                    }
                }
            default:
                let value =
                    kind == 5
                    ? PropertyValue(Property("content", .string), text)
                    : PropertyValue(Property("views", .int), .int(Int64(number % 60)))
                try await store.update(of: "Post", where: try Filter("views >= \(bound)"), set: [value])
            }
        }
    }

    @Test(arguments: 0..<10) func anUpdateOfRunsIsThatOfItsObjects(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let disks = [SimulatedFileSystem(), SimulatedFileSystem()]
        var stores = [try await fixture.open(disks[0]), try await fixture.open(disks[1], isMass: false)]
        for round in 0..<14 {
            try await step(stores, &random)
            let shown = try stores.map { try $0.fetch(Post.all).map { "\($0.id) \($0.views) \($0.content)" } }
            #expect(shown[0] == shown[1], "round \(round)")
            if round % 4 == 1 { for store in stores { try await store.compact() } }
            guard round % 5 == 4 else { continue }
            for store in stores { try await store.close() }
            stores = [try await fixture.open(disks[0]), try await fixture.open(disks[1], isMass: false)]
        }
        #expect(try await told(stores[0]) == told(stores[1]))
        for store in stores {
            #expect(try await store.verifyState().isSound)
            try await store.close()
        }
    }

    @Test func whoReadsBeforeItIsDurableSeesNothingOfIt() async throws {
        let disk = try await fixture.initial()
        let store = try await fixture.open(disk, memory: 1 << 20)
        let snapshot = try store.snapshot()
        let runs = try disk.list("/store/runs").filter { $0.hasSuffix(".run") }
        try await fixture.update(store)
        // In memory there is not enough to write.
        #expect(try disk.list("/store/runs").filter { $0.hasSuffix(".run") } != runs, "the run was written anew")
        #expect(try fixture.changed(store) == 20)
        #expect(try snapshot.fetch(Post.where { $0.content == "after" }).isEmpty)
        #expect(try snapshot.fetch(Post.all).count == 40)
        try await store.close()
    }
}
