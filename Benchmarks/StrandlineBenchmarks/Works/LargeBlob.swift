import EventLog
import Storage

/// One very large blob, in and out in pieces: how much memory it takes.
struct LargeBlob: Work {
    static let name = "log-large-blob"
    static let unit = "MiB"
    static let count: UInt64 = 2048

    func run(_ options: RunOptions) throws -> Measurement {
        var options = options
        options.settings = "blob store: pieces of 1 MiB in, verified pieces out"
        let log = try EventLog.create(at: options.directory, in: .system)
        let blobs = BlobStore(StoreLayout(root: options.directory), in: .system)
        let meter = Meter()
        var piece: [UInt8] = []
        var position = 0
        var number: UInt64 = 0
        var expected = StreamingHash(seed: 0)
        let reference = try blobs.write { buffer in
            if position == piece.count {
                guard number < options.count else { return 0 }
                piece = [UInt8](repeating: 0, count: 1 << 20)
                options.workload.fill(&piece, withBlob: number)
                expected.update(piece.span)
                number += 1
                position = 0
            }
            let count = min(buffer.count, piece.count - position)
            for index in 0..<count { buffer[index] = piece[position + index] }
            position += count
            return count
        }
        var hash = StreamingHash(seed: 0)
        let before = Meter.now()
        let reader = try blobs.open(reference.id)
        try reader.forEachChunk(verified: true) { hash.update($0) }
        let after = Meter.now()
        reader.close()
        var result = meter.finish(options, operations: options.count)
        guard hash.digest == expected.digest else { throw BenchmarkError("the blob read back differs from the one written") }
        result.logicalBytes = options.count << 20
        result.readSeconds = Double(after - before) / 1e9
        result.readMBPerSecond = Double(result.logicalBytes) / Double(after - before) * 1e3
        result.resultHash = Digest128.hex(hash.digest)
        try log.close()
        return result
    }
}
