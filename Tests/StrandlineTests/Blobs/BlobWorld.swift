import Foundation
import SampleModel
import Simulation
import Storage
import Strandline
import Testing
import Transports

/// Stores with images, and a socket between them.
enum BlobWorld {
    static func open(
        _ seed: UInt64, joining dataset: DatasetID? = nil, clock: SimulatedClock = SimulatedClock()
    ) async throws -> Store {
        var options = Store.Options()
        options.dataset = dataset
        return try await Store.open(
            .environment("/store", .simulated(seed: seed, clock: clock)), Post.self, Attachment.self, ImageData.self,
            options: options)
    }

    static func content(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// An image of its own; its id and blob.
    @discardableResult
    static func insert(_ seed: UInt64, _ count: Int = 700_000, into store: Store) async throws -> (
        EntityID<ImageData>, BlobReference
    ) {
        let bytes = content(seed, count)
        let id = try await store.write { tx in
            let post = try tx.insert(Post(title: "post \(seed)"))
            let attachment = try tx.insert(Attachment(name: "a", post: post.id))
            return try tx.insert(ImageData(data: Blob(bytes), attachment: attachment.id)).id
        }.value
        return (id, try blob(of: id, in: store))
    }

    static func blob(of id: EntityID<ImageData>, in store: Store) throws -> BlobReference {
        let image = try #require(try store.get(id))
        guard case .stored(let reference) = image.data.content else { throw Missing() }
        return reference
    }

    struct Missing: Error {}

    /// A socket in a directory of its own.
    static func withSocket(_ body: (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "b-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await body(directory + "/socket")
    }

    static func code(_ error: any Error) -> StoreError.Code? { (error as? StoreError)?.code }
}
