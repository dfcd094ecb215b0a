import EventLog
import Storage

/// Another store's blobs as a source.
struct StoredBlobs: BlobSource {
    let store: BlobStore

    func open(_ reference: BlobReference) throws(ExchangeDamage) -> (any BlobContent)? {
        do throws(LogError) {
            return Content(reader: try store.open(reference.id))
        } catch {
            guard error.code == .blobMissing else { throw ExchangeDamage(error.description, at: error.offset) }
            return nil
        }
    }

    private struct Content: BlobContent {
        let reader: BlobReader
        var path: String { "blob \(reader.id) of the other store" }

        func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(ExchangeDamage) -> Int {
            do throws(LogError) {
                return try reader.read(into: &buffer, at: offset)
            } catch {
                throw ExchangeDamage(error.description, at: error.offset)
            }
        }

        func close() { reader.close() }
    }
}
