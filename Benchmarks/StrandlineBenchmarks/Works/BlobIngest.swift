import EventLog
import Storage

/// Blobs stored one by one, each durable; then read back warm, hashed while reading.
struct BlobIngest: Work {
    static let name = "log-blob"
    static let unit = "blobs"
    static let count: UInt64 = 660

    func run(_ options: RunOptions) throws -> Measurement {
        var options = options
        options.settings = "blob store: SHA-256, 512 KiB writes, fdatasync, rename, directory fsync; read unverified"
        let log = try EventLog.create(at: options.directory, in: .system)
        let blobs = BlobStore(StoreLayout(root: options.directory), in: .system)
        var meter = Meter(commits: Int(options.count))
        var bytes = [UInt8](repeating: 0, count: Int(options.size))
        var references: [BlobReference] = []
        var expected: UInt64 = 0
        for index in 0..<options.count {
            meter.generate {
                options.workload.fill(&bytes, withBlob: index)
                expected &+= Checksum.xxh3(bytes.span, seed: index)
            }
            references.append(try meter.commit { try blobs.write(bytes) })
        }
        var result = meter.finish(options, operations: options.count)
        bytes = []
        let before = Meter.now()
        var hash: UInt64 = 0
        for (index, reference) in references.enumerated() {
            var streaming = StreamingHash(seed: UInt64(index))
            let reader = try blobs.open(reference.id)
            try reader.forEachChunk { streaming.update($0) }
            reader.close()
            hash &+= streaming.digest
        }
        try result.completeBlobs(hash, expected: expected, readFrom: before, options)
        try log.close()
        return result
    }
}

extension Measurement {
    /// Notes how fast blobs came in and came back, once they are those that were written.
    mutating func completeBlobs(_ hash: UInt64, expected: UInt64, readFrom start: UInt64, _ run: RunOptions) throws {
        let reading = Double(Meter.now() - start) / 1e9
        guard hash == expected else { throw BenchmarkError("the blobs read back differ from the blobs written") }
        logicalBytes = run.count * run.size
        ingestMBPerSecond = Double(logicalBytes) / seconds / 1e6
        readSeconds = reading
        readMBPerSecond = Double(logicalBytes) / reading / 1e6
        resultHash = Digest128.hex(hash)
    }
}
