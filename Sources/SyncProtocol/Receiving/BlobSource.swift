import EventLog
import Storage

/// Where blobs come from: a folder or another store.
protocol BlobSource {
    /// The content of a blob, or nil when it is not to be had there.
    ///
    /// - Throws: ``ExchangeDamage`` when something is there that cannot be used.
    func open(_ reference: BlobReference) throws(ExchangeDamage) -> (any BlobContent)?
}

/// A blob that is open for reading from front to end.
protocol BlobContent {
    /// What it is called in messages.
    var path: String { get }
    func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(ExchangeDamage) -> Int
    func close()
}
