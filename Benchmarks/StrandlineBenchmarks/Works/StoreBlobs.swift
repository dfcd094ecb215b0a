import EventLog
import Storage
import Strandline

/// Blobs through the public interface: an object with a blob per durable write, read back through the store.
struct StoreBlobs: Work {
    static let name = "store-blob"
    static let unit = "blobs"
    static let count: UInt64 = 660

    /// A picture of the benchmark.
    struct Picture: Entity {
        var id = ID()
        var number = 0
        var data = Blob()

        static let schema = Schema<Self>("Picture") {
            Field("data", \.data)
            Field("number", \.number)
        }
    }

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.settings = "public API: a durable write per object with a blob; read in pieces of 512 KiB, unverified"
        let store = try await Store.open(.directory(options.directory), Picture.self)
        var meter = Meter(commits: Int(options.count))
        var expected: UInt64 = 0
        for index in 0..<options.count {
            let bytes = meter.generate {
                var bytes = [UInt8](repeating: 0, count: Int(options.size))
                options.workload.fill(&bytes, withBlob: index)
                expected &+= Checksum.xxh3(bytes.span, seed: index)
                return bytes
            }
            let before = Meter.now()
            try await store.write { tx in
                var picture = Picture()
                picture.number = Int(index)
                picture.data = Blob(bytes)
                try tx.insert(picture)
            }
            meter.note(Meter.now() - before)
        }
        var result = meter.finish(options, operations: options.count)
        let pictures = try store.fetch(Picture.all)
        let before = Meter.now()
        var hash: UInt64 = 0
        for picture in pictures {
            guard case .stored(let reference) = picture.data.content else { throw BenchmarkError("a blob was not stored") }
            var streaming = StreamingHash(seed: UInt64(picture.number))
            var offset: UInt64 = 0
            while offset < reference.length {
                let piece = try store.read(reference, at: offset, count: 512 << 10)
                streaming.update(piece.span)
                offset += UInt64(piece.count)
            }
            hash &+= streaming.digest
        }
        try result.completeBlobs(hash, expected: expected, readFrom: before, options)
        try await store.close()
        return result
    }
}
