/// The steps every durable change is made of.
extension FileSystem {
    /// Replaces the file at `path` whole: after a crash it has either the old contents or these, never a mixture.
    ///
    /// Writes `path.tmp` beside it, syncs, renames and syncs the directory; durable on return. One caller at a time per path.
    /// When it throws, the old contents are still there, unless only the last step failed: then either may be, and
    /// after a crash too. A private file is one that only its owner may open.
    package func replace(_ path: String, with contents: [UInt8], isPrivate: Bool = false) throws(StorageError) {
        try publish(contents, as: path, by: path + ".tmp", isPrivate ? .createPrivate : .createNew).close()
        try syncDirectory(Path.parent(of: path))
    }

    /// Makes a file durable with its contents under a new name, by way of a temporary directory, and leaves it open.
    package func create(_ path: String, with contents: [UInt8], through temporary: String) throws(StorageError) -> any File {
        let name = Path.names(of: path).last ?? path
        let file = try publish(contents, as: path, by: Path.join(temporary, name))
        do throws(StorageError) {
            try syncDirectory(Path.parent(of: path))
        } catch {
            file.close()
            // A name that could not be made durable may never be, whatever later syncs say: take it back, to be given anew.
            try? remove(path)
            throw error
        }
        return file
    }

    /// Writes a draft, makes its bytes durable and gives it its name; the name is not durable yet.
    private func publish(
        _ contents: [UInt8], as path: String, by draft: String, _ mode: OpenMode = .createNew
    ) throws(StorageError) -> any File {
        // Never build on what an earlier attempt left: a file whose sync once failed may lie about its contents for ever.
        try removeIfPresent(draft)
        let file = try open(draft, mode)
        do throws(StorageError) {
            try file.write(contents.span, at: 0)
            try file.sync()
            try rename(draft, to: path)
        } catch {
            file.close()
            // Best effort: the error that counts is the first one, and the next attempt removes the file as well.
            try? removeIfPresent(draft)
            throw error
        }
        return file
    }

    /// The contents of a file of at most `limit` bytes.
    ///
    /// Throws `malformed` for a longer one, before taking memory for it.
    package func readWhole(_ path: String, limit: Int) throws(StorageError) -> [UInt8] {
        let file = try open(path, .read)
        defer { file.close() }
        let size = try file.size()
        guard size <= UInt64(limit) else {
            throw .malformed("the file has \(size) bytes; at most \(limit) are expected", path: path)
        }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        var span = bytes.mutableSpan
        let count = try file.read(into: &span, at: 0)
        // Someone may cut the file between the two calls.
        if count < bytes.count { bytes.removeLast(bytes.count - count) }
        return bytes
    }

    /// Creates a directory and every missing one above it, all durable on return.
    package func createDirectories(_ path: String) throws(StorageError) {
        if try attributes(of: path) != nil {
            guard try isDirectory(path) else { throw StorageError(.notDirectory, "create directory", path: path) }
            return
        }
        let parent = Path.parent(of: path)
        if parent != path { try createDirectories(parent) }
        try createDirectory(path)
        try syncDirectory(parent)
    }

    /// Whether a directory has this name, or a symbolic link that leads to one: what a user means by the path of a directory.
    package func isDirectory(_ path: String) throws(StorageError) -> Bool {
        do throws(StorageError) {
            // The dot is a name in the directory, so the system follows a link to it.
            return try attributes(of: Path.join(path, "."))?.isDirectory ?? false
        } catch {
            guard error.code == .notDirectory else { throw error }
            return false
        }
    }

    /// Removes a file, or a directory with all it holds; nothing there is no error.
    ///
    /// Durable once the caller syncs the parent.
    package func removeTree(_ path: String) throws(StorageError) {
        guard let found = try attributes(of: path) else { return }
        guard found.isDirectory else { return try removeIfPresent(path) }
        for name in try list(path) { try removeTree(Path.join(path, name)) }
        try removeDirectory(path)
    }

    /// Copies a file to a name that must be free, and syncs its bytes; the name is durable once the caller syncs the directory.
    ///
    /// A failed copy leaves nothing behind.
    package func copy(_ path: String, to newPath: String) throws(StorageError) {
        let source = try open(path, .read)
        defer { source.close() }
        let target = try open(newPath, .createNew)
        defer { target.close() }
        do throws(StorageError) {
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            var offset: UInt64 = 0
            while true {
                var span = buffer.mutableSpan
                let count = try source.read(into: &span, at: offset)
                if count > 0 { try target.write(buffer.span.extracting(0..<count), at: offset) }
                offset += UInt64(count)
                if count < buffer.count { break }
            }
            try target.sync()
        } catch {
            try? removeIfPresent(newPath)
            throw error
        }
    }

    private func removeIfPresent(_ path: String) throws(StorageError) {
        do throws(StorageError) {
            try remove(path)
        } catch {
            guard error.code == .notFound else { throw error }
        }
    }
}
