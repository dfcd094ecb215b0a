import Storage

/// The files of a store by their paths below its directory.
struct StoreFiles: Equatable {
    private(set) var contents: [String: [UInt8]] = [:]

    /// Reads a directory.
    init(at path: String, in fileSystem: any FileSystem) throws { try read(path, under: "", fileSystem) }

    private mutating func read(_ path: String, under prefix: String, _ fileSystem: any FileSystem) throws {
        for name in try fileSystem.list(path) {
            let whole = Path.join(path, name)
            if try fileSystem.attributes(of: whole)?.isDirectory == true {
                try read(whole, under: prefix + name + "/", fileSystem)
            } else {
                contents[prefix + name] = try fileSystem.readWhole(whole, limit: 1 << 30)
            }
        }
    }

    init(_ contents: [String: [UInt8]]) { self.contents = contents }

    /// Writes them below a directory, with the directories that a store has.
    func write(to path: String, in fileSystem: any FileSystem) throws {
        for directory in ["log", "staged", "blobs", "quarantine", "tmp"] {
            try fileSystem.createDirectories(Path.join(path, directory))
        }
        try writeFiles(to: path, in: fileSystem)
    }

    func writeFiles(to path: String, in fileSystem: any FileSystem) throws {
        for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
            let whole = Path.join(path, name)
            try fileSystem.createDirectories(Path.parent(of: whole))
            let file = try fileSystem.open(whole, .create)
            defer { file.close() }
            try file.truncate(to: 0)
            try file.write(bytes.span, at: 0)
            try file.sync()
        }
    }

    mutating func replace(_ name: String, with bytes: [UInt8]) { contents[name] = bytes }

    /// Leaves out SHARED, which means nothing on another machine, and all but a page of the zeros behind a segment's end.
    func trimmed() -> StoreFiles {
        var trimmed = self
        trimmed.contents["SHARED"] = nil
        for (name, bytes) in contents where name.hasSuffix(".seg") {
            let used = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
            let kept = (used + 4095) / 4096 * 4096 + 4096
            if kept < bytes.count { trimmed.contents[name] = Array(bytes.prefix(kept)) }
        }
        return trimmed
    }
}
