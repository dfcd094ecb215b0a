import EventLog
import Storage

/// The blobs of a store, as handles read them.
struct StoreBlobs: BlobSource {
    let store: BlobStore

    func read(_ reference: BlobReference, range: Range<UInt64>) throws -> [UInt8] {
        if let inline = reference.inline { return Array(inline[Int(range.lowerBound)..<Int(range.upperBound)]) }
        return try StoreError.wrap {
            let reader = try store.open(reference.id)
            defer { reader.close() }
            var bytes = [UInt8](repeating: 0, count: range.count)
            var span = bytes.mutableSpan
            let count = try reader.read(into: &span, at: range.lowerBound)
            guard count == range.count else {
                throw StoreError(
                    .blobDamaged, "blob \(reference.id) has \(reader.length) bytes where \(reference.length) were stored")
            }
            return bytes
        }
    }
}
