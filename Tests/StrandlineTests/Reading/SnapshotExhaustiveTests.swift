import EventLog
import Foundation
import Projection
import Simulation
import Strandline
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A snapshot of a large store, held while everything under it is written anew.
@Suite struct SnapshotExhaustiveTests {
    private struct Reading: Entity, Equatable {
        var id = ID()
        var sensor = 0
        var value = 0
        var name = ""
        static let schema = Schema<Self>("Reading") {
            Field("sensor", \.sensor)
            Field("value", \.value)
            Field("name", \.name)
        }
    }

    /// What is asked before and after.
    private struct Answers: Equatable {
        let count: Int
        let sums: [[Int64]]
        let large: [Reading.ID]
        let first: [Reading]
        let single: [Reading?]
    }

    // Apart from the test, as in StoreSelectedTests.
    private static let large = Reading.where { $0.value > 990 && $0.sensor == 3 }.sorted(by: \.name)
    private static let first = Reading.where { $0.name.hasPrefix("reading 1") }.sorted(by: \.value, .descending).limit(50)

    private func answers(_ snapshot: Snapshot, _ some: [Reading.ID]) throws -> Answers {
        let groups = try snapshot.groups(
            of: "Reading", by: [PropertyPath("sensor")], try Aggregate.parse("count,sum:value,max:value"))
        return Answers(
            count: try snapshot.count(Reading.all),
            sums: groups.map { ($0.keys + $0.values).map(Self.number) },
            large: try snapshot.ids(of: Self.large), first: try snapshot.fetch(Self.first),
            single: try some.map { try snapshot.get($0) })
    }

    private static func number(_ value: Value) -> Int64 { if case .int(let number) = value { number } else { -1 } }

    /// Of a tenth as many objects: a million, or as many as STRANDLINE_UPDATES says.
    private static var updates: Int {
        unsafe getenv("STRANDLINE_UPDATES").flatMap { Int(unsafe String(cString: $0)) } ?? 1_000_000
    }

    /// The run files below a directory that this process has open, removed ones included.
    private func openRuns(below directory: String) throws -> [String] {
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0) }
            .filter { $0.hasPrefix(directory + "/") && $0.contains(".run") }
    }

    @Test func aSnapshotAnswersAsItDidUntilItGoesWithItsFiles() async throws {
        let directory = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "strandline-snapshot-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = try await Store.open(.directory(directory), Reading.self)
        let objects = max(1_000, Self.updates / 10)
        var ids: [Reading.ID] = []
        for start in stride(from: 0, to: objects, by: 1_000) {
            ids += try await store.write(durability: .relaxed) { tx in
                try (start..<start + 1_000).map { number in
                    var reading = Reading()
                    reading.sensor = number % 7
                    reading.value = number % 1_000
                    reading.name = "reading \(number)"
                    return try tx.insert(reading).id
                }
            }.value
        }
        try await store.compact()
        var random = SplitMix64(seed: 5)
        let some = (0..<200).map { _ in ids[Int.random(in: ids.indices, using: &random)] }
        var snapshot: Snapshot? = try store.snapshot()
        let before = try answers(try #require(snapshot), some)
        #expect(before.count == ids.count && before.large.count > ids.count / 1_000 && before.first.count == 50)

        let began = ContinuousClock.now
        for _ in 0..<max(1, Self.updates / 1_000) {
            let start = Int.random(in: 0..<ids.count, using: &random)
            let chosen = (0..<1_000).map { ids[(start + $0 * 7) % ids.count] }
            try await store.write(durability: .relaxed) { tx in for id in chosen { try tx.update(id) { $0.value += 1_000 } } }
        }
        try await store.compact()
        let after = try answers(try #require(snapshot), some)
        #expect(after == before)
        let now = try answers(try store.snapshot(), some)
        let added = zip(now.sums, before.sums).reduce(Int64(0)) { $0 + $1.0[2] - $1.1[2] }
        #expect(added == Int64(max(1, Self.updates / 1_000)) * 1_000_000 && now.count == before.count)

        let took = ContinuousClock.now - began
        #if os(Linux)
        // The snapshot's own have no name any more.
        let held = try openRuns(below: directory)
        #expect(held.contains { $0.hasSuffix("(deleted)") } && held.count > 1, "\(held)")
        #endif
        snapshot = nil
        let left = try FileManager.default.contentsOfDirectory(atPath: directory + "/runs").filter { $0.hasSuffix(".run") }
        #expect(left.count == 1, "\(left)")
        #if os(Linux)
        let open = try openRuns(below: directory)
        #expect(open == [directory + "/runs/" + (left.first ?? "")])
        #endif
        print("snapshot: \(ids.count) objects, \(Self.updates) updates and a compaction in \(took)")
        try await store.close()
    }
}
