import Storage

extension Environment {
    /// An unfinished file of a name that nobody has: chance repeats when a simulated machine restarts, and leftovers may lie there.
    func createDraft(in directory: String) throws(StorageError) -> (path: String, file: any File) {
        var attempts = 0
        while true {
            let path = Path.join(directory, ExchangeFormat.draftName(random.next()))
            do throws(StorageError) {
                return (path, try fileSystem.open(path, .createNew))
            } catch {
                attempts += 1
                guard error.code == .alreadyExists, attempts < 100 else { throw error }
            }
        }
    }

    /// Makes a small file durable under its name; whoever sees the name sees all of it.
    func publish(_ bytes: [UInt8], as name: String, in directory: String) throws(StorageError) {
        let (path, file) = try createDraft(in: directory)
        do throws(StorageError) {
            try file.finish(path, bytes, as: name, in: directory, fileSystem)
        } catch {
            file.close()
            try? fileSystem.remove(path)
            throw error
        }
    }
}

extension File {
    /// Writes what an unfinished file begins with, makes all of it durable, and then gives it its name.
    func finish(
        _ path: String, _ beginning: [UInt8], as name: String, in directory: String, _ fileSystem: any FileSystem
    ) throws(StorageError) {
        try write(beginning.span, at: 0)
        try sync()
        close()
        try fileSystem.rename(path, to: Path.join(directory, name))
        try fileSystem.syncDirectory(directory)
    }
}
