// Invariants
// * A file is written to by whoever holds its lock, and by nobody else: lines of two processes never meet. Files are named by when they
//   were begun, and by chance, so no name is given twice.
// * `offset` is behind the last whole line that this value wrote or found; what a failed write left behind it is written over, or cut off.
// * Nothing is synced: records are for looking, and no commit waits for them.
// * For one thread at a time.

import EventLog
package import Storage

/// The log files of a store, as one process writes them.
package struct RecordFiles: Sendable {
    private let directory: String
    private let environment: Environment
    private let options: RecordOptions
    private var file: (any File)?
    private var offset: UInt64 = 0

    /// A file of another process that ended is gone on with, if it is among so many of the newest.
    private static let tried = 4

    package init(in directory: String, _ environment: Environment, _ options: RecordOptions) {
        self.directory = directory
        self.environment = environment
        self.options = options
    }

    /// Writes whole lines, to another file where the present one is full.
    package mutating func append(_ lines: [UInt8]) throws(StorageError) {
        if file != nil, offset > 0, offset + UInt64(lines.count) > UInt64(options.fileBytes) { close() }
        let file: any File
        if let open = self.file { file = open } else { file = try open(for: lines.count) }
        do throws(StorageError) {
            try file.write(lines.span, at: offset)
        } catch {
            // A part may be there: half a line, which the next one is to replace.
            let isCut: Void? = try? file.truncate(to: offset)
            if isCut == nil { close() }
            throw error
        }
        offset += UInt64(lines.count)
    }

    /// Lets another process go on with the file.
    package mutating func close() {
        file?.close()
        file = nil
        offset = 0
    }

    /// The names of log files in a directory, ascending by when they were begun.
    package static func names(in directory: String, _ files: any FileSystem) throws(StorageError) -> [String] {
        do throws(StorageError) {
            return try files.list(directory).filter { $0.hasSuffix(suffix) }
        } catch {
            guard error.code == .notFound else { throw error }
            return []
        }
    }

    private static let suffix = ".jsonl"

    private mutating func open(for count: Int) throws(StorageError) -> any File {
        let files = environment.fileSystem
        let names = try Self.names(in: directory, files)
        for name in names.suffix(Self.tried).reversed() {
            // One that cannot be gone on with, whatever is wrong with it, is no reason not to begin another.
            guard let (found, end) = try? take(Path.join(directory, name)) else { continue }
            if end + UInt64(count) <= UInt64(options.fileBytes) {
                offset = end
                file = found
                return found
            }
            found.close()
        }
        if names.isEmpty { try files.createDirectory(directory) }
        let time = StoreRecord.text(environment.clock.now()).filter { $0 != "-" && $0 != ":" && $0 != "." }
        let name = "\(time)-\(Digest128.hex(environment.random.next()))\(Self.suffix)"
        let made = try files.open(Path.join(directory, name), .createNew)
        guard try made.tryLock() else { throw StorageError(.locked, "lock", path: made.path) }
        offset = 0
        file = made
        removeOldest(of: names)
        return made
    }

    /// Opens a file that nobody writes to, locks it, and finds where it is to be gone on; nil for one that is in use.
    private func take(_ path: String) throws(StorageError) -> (any File, end: UInt64)? {
        let file = try environment.fileSystem.open(path, .readWrite)
        // Who removes a file holds its lock, so it is there for good, or gone.
        guard try file.tryLock(), try environment.fileSystem.attributes(of: path) != nil else { return nil }
        return (file, try Self.endOfLines(file, try file.size()))
    }

    /// Behind the last whole line: a process may have died, or a disk been full, in the middle of one.
    private static func endOfLines(_ file: any File, _ size: UInt64) throws(StorageError) -> UInt64 {
        let start = size > 4_096 ? size - 4_096 : 0
        var bytes = [UInt8](repeating: 0, count: Int(size - start))
        var span = bytes.mutableSpan
        let count = try file.read(into: &span, at: start)
        guard let last = bytes[..<count].lastIndex(of: UInt8(ascii: "\n")) else { return start == 0 ? 0 : size }
        let end = start + UInt64(last) + 1
        if end < size { try file.truncate(to: end) }
        return end
    }

    /// Removes what is more than is kept, without those that somebody writes to; what cannot be removed now can be later.
    private func removeOldest(of names: [String]) {
        for name in names.dropLast(max(0, options.files - 1)) {
            let path = Path.join(directory, name)
            guard let (file, _) = try? take(path) else { continue }
            try? environment.fileSystem.remove(path)
            file.close()
        }
    }
}
