import EventLog
import Storage

// What peers ask for.
extension BlobTransfers {
    func read(_ range: BlobRange) throws -> (messages: [Message], rest: BlobRange?) {
        guard let reader = try store.openIfPresent(range.id) else { return ([.blobMissing(range.id)], nil) }
        defer { reader.close() }
        guard reader.length == range.length else { return ([.blobMissing(range.id)], nil) }
        var rest = range
        if range.wantsHashes {
            let first = range.hashed
            let last = min(range.chunkCount, first + Self.hashesAtOnce)
            var hashes: [UInt8] = []
            for index in first..<last {
                let bytes = try chunk(index, of: range, reader)
                hashes += SHA256.hash(bytes.span)
            }
            rest.hashed = last
            if last == range.chunkCount { rest.wantsHashes = false }
            return ([.blobHashes(range.id, first: first, hashes[...])], rest)
        }
        let index = range.chunks.lowerBound
        let bytes = try chunk(index, of: range, reader)
        rest.chunks = index + 1..<range.chunks.upperBound
        return ([.blobChunk(range.id, index: index, bytes[...])], rest.chunks.isEmpty ? nil : rest)
    }

    private func chunk(_ index: UInt64, of range: BlobRange, _ reader: BlobReader) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.size(of: index))
        var span = bytes.mutableSpan
        let count = try reader.read(into: &span, at: index * UInt64(BlobFormat.chunkSize))
        guard count == bytes.count else { throw store.missing(range.id) }
        return bytes
    }
}
