package import Storage

// Invariants
// * The file appears under its name when `finish` returns, whole; until then its bytes are in `NAME.part`.

/// A file that a command writes from front to end.
package struct OutputFile {
    private let fileSystem: any FileSystem
    private let path: String
    private var temporary: String { path + ".part" }
    private let file: any File
    private var offset: UInt64 = 0

    /// - Throws: ``StorageError`` when it cannot be made.
    package init(_ path: String, in fileSystem: any FileSystem = Environment.system.fileSystem) throws(StorageError) {
        self.fileSystem = fileSystem
        self.path = path
        let attributes = try fileSystem.attributes(of: path)
        if attributes?.isDirectory == true { throw StorageError(.isDirectory, "write", path: path) }
        if attributes?.isSpecial == true {
            throw StorageError(
                .unsupported, "replace", path: path, detail: "it is a link, a pipe or a device; write to '-' and redirect that")
        }
        file = try fileSystem.open(path + ".part", .create)
        try file.truncate(to: 0)
    }

    package mutating func append(_ bytes: [UInt8]) throws(StorageError) {
        try file.write(bytes.span, at: offset)
        offset += UInt64(bytes.count)
    }

    package func finish() throws(StorageError) {
        defer { file.close() }
        try file.sync()
        try fileSystem.rename(temporary, to: path)
        try fileSystem.syncDirectory(Path.parent(of: path))
    }

    /// Leaves nothing behind.
    package func discard() {
        file.close()
        try? fileSystem.remove(temporary)
    }
}
