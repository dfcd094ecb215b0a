import Storage
import Strandline

/// The files that a store answers from: they hold nothing that its log does not say.
struct RunFiles {
    let count: Int
    let bytes: UInt64

    /// Counts the files of the store in a directory.
    ///
    /// - Throws: ``StorageError`` when they cannot be listed.
    init(of store: String, in fileSystem: any FileSystem = Environment.system.fileSystem) throws(StorageError) {
        let directory = StoreLayout(root: store).runs
        var count = 0
        var bytes: UInt64 = 0
        if try fileSystem.attributes(of: directory) != nil {
            for name in try fileSystem.list(directory) where name.hasSuffix(".run") {
                // Another process may be removing it.
                guard let attributes = try fileSystem.attributes(of: Path.join(directory, name)) else { continue }
                count += 1
                bytes += attributes.size
            }
        }
        self.count = count
        self.bytes = bytes
    }

    /// `3 runs of 12.5 MB`.
    var text: String { "\(count) run\(count == 1 ? "" : "s") of \(ProgressLine.bytes(bytes))" }
}
