import EventLog
import SyncProtocol

extension BlobTransfers {
    /// Where a blob is.
    func status(of blob: BlobReference) throws(LogError) -> BlobStatus {
        if blob.inline != nil { return BlobStatus(blob, .here) }
        if let entry = try store.entry(of: blob.id) { return BlobStatus(blob, .here, written: entry.written) }
        let arrived = arrived(blob.id) ?? store.arrived(blob)
        if arrived > 0 { return BlobStatus(blob, .partly(bytes: arrived)) }
        let holders = try holders(of: blob.id)
        if try store.copies().evicted.contains(blob.id) { return BlobStatus(blob, .evicted(holders)) }
        return BlobStatus(blob, holders.isEmpty ? .lacking : .elsewhere(holders))
    }
}
