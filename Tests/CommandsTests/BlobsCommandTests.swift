import Commands
import Foundation
import Interchange
import SampleModel
import Strandline
import Testing

@Suite("BlobsCommand")
struct BlobsCommandTests {
    @Test("blobs are listed, evicted to another store, and fetched again")
    func roundTrip() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let store = try await harness.open()
            for number in 0..<3 {
                let bytes = [UInt8](repeating: UInt8(number), count: 100_000 + number)
                try await store.write { tx in _ = try tx.insert(ImageData(data: Blob(bytes))) }
            }
            let dataset = store.dataset
            try await store.close()
            let other = harness.directory + "/other"
            _ = try await harness.output("create", other, "--join", dataset.description)
            _ = try await harness.output("sync", harness.store, other)
            let list = try await harness.run("blobs", harness.store, "--json").json()
            guard case .array(let blobs) = list else { throw BlobsCommandTests.NoArray() }
            #expect(blobs.count == 3 && blobs.allSatisfy { $0["state"] == .string("here") })
            guard case .string(let id)? = blobs[0]["id"] else { throw BlobsCommandTests.NoArray() }
            try await harness.refuses("blobs", harness.store, "--evict", id, code: .usage, saying: "say who keeps the blobs")
            let evicted = try await harness.output("blobs", harness.store, "--evict", String(id.prefix(10)), "--from", other)
            #expect(evicted.hasPrefix("1 blobs evicted"))
            let states = try await harness.output("blobs", harness.store)
            #expect(states.contains("evicted") && states.contains(id))
            let fetched = try await harness.output("blobs", harness.store, "--fetch", "all", "--from", other)
            #expect(fetched.contains("1"))
            #expect(try await !harness.output("blobs", harness.store).contains("evicted"))
            let below = try await harness.run("blobs", harness.store, "--keep-below", "110kB", "--from", other, "--json").json()
            guard case .array(let gone)? = below["evicted"] else { throw BlobsCommandTests.NoArray() }
            #expect(gone.count == 2)
            // The other store made promises, and still has them all.
            #expect(try await harness.output("blobs", other).components(separatedBy: "here").count == 4)
            // Of one that is gone there nothing is left to promise.
            let outcome = await harness.run("blobs", other, "--evict", id, "--from", harness.store)
            let lost = await harness.run("blobs", other, "--older-than", "0", "--force")
            #expect(outcome.code == (gone.contains(.string(id)) ? .failed : .done))
            #expect(lost.code == .done)
        }
    }

    struct NoArray: Error {}

    @Test("on demand transactions come without blobs")
    func policy() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let store = try await harness.open()
            try await store.write { tx in
                _ = try tx.insert(ImageData(data: Blob([UInt8](repeating: 7, count: 100_000))))
            }
            let dataset = store.dataset
            try await store.close()
            let other = harness.directory + "/other"
            _ = try await harness.output("create", other, "--join", dataset.description)
            let json = try await harness.run("sync", other, harness.store, "--blobs", "on-demand", "--json").json()
            #expect(json["importedBlobs"] == .integer(0))
            #expect(try await harness.output("blobs", other).contains("lacking"))
            try await harness.refuses(
                "sync", other, harness.store, "--blobs", "some", code: .usage, saying: "eager, on-demand, none")
            try await harness.refuses("blobs", other, "--fetch", "0", "--evict", "0", code: .usage, saying: "give one of")
        }
    }
}
