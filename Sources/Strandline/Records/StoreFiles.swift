import EventLog
package import Storage

/// What files a store has, as it looks from outside: it need not open.
package struct StoreFiles: Sendable {
    /// How many files a directory holds, with those in directories in it, and their bytes.
    package struct Sum: Sendable {
        package let name: String
        package internal(set) var files = 0
        package internal(set) var bytes: UInt64 = 0
    }

    package struct Segment: Sendable {
        package let ordinal: UInt64
        package let firstLSN: UInt64
        package let bytes: UInt64
    }

    package struct Summary: Sendable {
        package let generation: UInt64
        package let firstOrdinal: UInt64, lastOrdinal: UInt64
        /// Segments that were given up, and where.
        package let ends: [(ordinal: UInt64, end: UInt64)]
        package let hasBaseline: Bool
    }

    /// Ascending by name: directories, and the files beside them.
    package let sums: [Sum]
    package let segments: [Segment]
    /// Files of the projection, by their bytes.
    package let runs: [UInt64]
    package let manifest: Result<Summary, LogError>

    /// - Throws: ``StorageError`` when the directory cannot be listed.
    package init(of path: String, in files: any FileSystem) throws(StorageError) {
        let layout = StoreLayout(root: path)
        var sums: [Sum] = []
        for name in try files.list(path) {
            var sum = Sum(name: name)
            try Self.add(Path.join(path, name), to: &sum, files)
            sums.append(sum)
        }
        self.sums = sums
        var segments: [Segment] = []
        for (name, bytes) in try Self.sizes(in: layout.log, files) {
            guard let (ordinal, first) = StoreLayout.parse(segment: name) else { continue }
            segments.append(Segment(ordinal: ordinal, firstLSN: first, bytes: bytes))
        }
        self.segments = segments
        runs = try Self.sizes(in: layout.runs, files).filter { $0.name.hasSuffix(".run") }.map(\.bytes)
        manifest = Self.manifest(layout, files)
    }

    private static func add(_ path: String, to sum: inout Sum, _ files: any FileSystem) throws(StorageError) {
        guard let found = try files.attributes(of: path) else { return }
        guard found.isDirectory else {
            sum.files += 1
            sum.bytes += found.size
            return
        }
        for name in try names(in: path, files) { try add(Path.join(path, name), to: &sum, files) }
    }

    /// None of a directory that is not there, or is gone.
    private static func names(in directory: String, _ files: any FileSystem) throws(StorageError) -> [String] {
        do throws(StorageError) {
            return try files.list(directory)
        } catch {
            guard error.code == .notFound else { throw error }
            return []
        }
    }

    private static func sizes(
        in directory: String, _ files: any FileSystem
    ) throws(StorageError) -> [(name: String, bytes: UInt64)] {
        var sizes: [(name: String, bytes: UInt64)] = []
        for name in try names(in: directory, files) {
            if let found = try files.attributes(of: Path.join(directory, name)) { sizes.append((name, found.size)) }
        }
        return sizes
    }

    private static func manifest(_ layout: StoreLayout, _ files: any FileSystem) -> Result<Summary, LogError> {
        Result { () throws(LogError) in
            let bytes = try LogError.wrap { () throws(StorageError) in try files.readWhole(layout.manifest, limit: 1 << 24) }
            let manifest = try Manifest(bytes, path: layout.manifest)
            return Summary(
                generation: manifest.generation, firstOrdinal: manifest.firstOrdinal, lastOrdinal: manifest.lastOrdinal,
                ends: manifest.ends.map { ($0.ordinal, $0.end) }, hasBaseline: manifest.baseline != nil)
        }
    }
}
