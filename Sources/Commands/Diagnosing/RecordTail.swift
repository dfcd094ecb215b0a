// Invariants
// * `places` has, for each file, what was read of it: whole lines only, so that half a line, which a process is writing, is read later.
// * Files are never longer than one process makes them (`RecordOptions.fileBytes`) unless somebody else wrote them: then they are read in pieces.

import Storage
import Strandline

/// Reads on in the log files of a store, or of a bundle.
struct RecordTail {
    private let directory: String
    private let files: any FileSystem
    private var places: [String: UInt64] = [:]
    /// Lines that were no records.
    private(set) var unreadable = 0

    private static let piece = 1 << 20
    /// A line that is longer is none of ours.
    private static let longestLine = 64 << 10

    /// - Parameter path: a store, or a bundle that `diagnose` made.
    /// - Throws: ``CommandError`` when there is neither.
    init(_ path: String, _ files: any FileSystem = POSIXFileSystem()) throws {
        self.files = files
        directory = StoreLayout(root: path).logs
        guard try files.isDirectory(path) else {
            throw CommandError.failed("there is no store or bundle with records (\(path))")
        }
        let isKnown = try [directory, StoreLayout(root: path).identity].contains { try files.attributes(of: $0) != nil }
        guard isKnown else { throw CommandError.failed("this is no store, and no bundle with records (\(path))") }
    }

    /// The records that came since the last call, ascending by time.
    mutating func next() throws -> [ShownRecord] {
        var found: [(time: UInt64, number: Int, record: ShownRecord)] = []
        let names = try RecordFiles.names(in: directory, files)
        var unknown = 0
        defer { unreadable += unknown }
        for name in names {
            do {
                try read(Path.join(directory, name)) { line in
                    if let record = ShownRecord(line: line) {
                        found.append((record.time, found.count, record))
                    } else if !line.isEmpty {
                        unknown += 1
                    }
                }
            } catch let error as StorageError where error.code == .notFound {
                // The oldest one goes when another is begun.
            }
        }
        found.sort { ($0.time, $0.number) < ($1.time, $1.number) }
        return found.map(\.record)
    }

    /// Goes to the end without reading what is there.
    mutating func skip() throws { _ = try next() }

    private mutating func read(_ path: String, _ body: ([UInt8]) -> Void) throws {
        let file = try files.open(path, .read)
        defer { file.close() }
        var place = places[path] ?? 0
        var rest: [UInt8] = []
        while true {
            var buffer = [UInt8](repeating: 0, count: Self.piece)
            var span = buffer.mutableSpan
            let count = try file.read(into: &span, at: place + UInt64(rest.count))
            var start = 0
            let bytes = rest + buffer[..<count]
            while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                body(Array(bytes[start..<end]))
                start = end + 1
            }
            place += UInt64(start)
            rest = Array(bytes[start...])
            if rest.count > Self.longestLine {
                place += UInt64(rest.count)
                rest = []
                body([UInt8(ascii: "?")])
            }
            if count < Self.piece { break }
        }
        places[path] = place
    }
}
