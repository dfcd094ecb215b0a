import Storage

extension FileSystem {
    /// Makes a file durable with its contents under a new name, by way of a temporary directory, and leaves it open.
    func create(_ path: String, with contents: [UInt8], through temporary: String) throws(StorageError) -> any File {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let draft = Path.join(temporary, name)
        if try attributes(of: draft) != nil { try remove(draft) }
        let file = try open(draft, .createNew)
        do throws(StorageError) {
            try file.write(contents.span, at: 0)
            try file.sync()
            try rename(draft, to: path)
            try syncDirectory(Path.parent(of: path))
        } catch {
            file.close()
            // A name that could not be made durable may never be, whatever later syncs say: take it back, to be given anew.
            try? remove(path)
            throw error
        }
        return file
    }
}
