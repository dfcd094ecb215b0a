import EventLog
import Storage

/// The blobs of a shared folder as a source.
struct FolderBlobs: BlobSource {
    let layout: ExchangeLayout
    let fileSystem: any FileSystem

    func open(_ reference: BlobReference) throws(ExchangeDamage) -> (any BlobContent)? {
        let path = layout.path(of: reference.id)
        guard try fileSystem.isPlainFile(path) else { return nil }
        return try ExchangeDamage.wrap { () throws(StorageError) -> (any BlobContent)? in
            let file = try fileSystem.open(path, .read)
            let size = try file.size()
            guard size == reference.length else {
                file.close()
                throw .malformed("it has \(size) bytes where \(reference.length) are expected", path: path)
            }
            return Content(file: file)
        }
    }

    private struct Content: BlobContent {
        let file: any File
        var path: String { file.path }

        func read(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(ExchangeDamage) -> Int {
            do throws(StorageError) { return try file.read(into: &buffer, at: offset) } catch { throw ExchangeDamage(error) }
        }

        func close() { file.close() }
    }
}
