import Projection
public import Strandline

/// Brings a file of records into a store: each row is inserted, or written over the object with the same key.
///
/// ```swift
/// let importer = Importer(entity: "Quake", key: "id", types: ["time": .date])
/// let summary = try await importer.run("quakes.geojson", into: store)
/// print(summary.inserted, "new,", summary.updated, "changed")
/// ```
///
/// The file is a JSON array of objects, an object per line (NDJSON), or a GeoJSON FeatureCollection, whose features are flattened; or, named
/// `.csv`, comma-separated values with a row of names, where a field with nothing in it, not even quotation marks, is null.
/// It is read while it is written to the store; memory holds two batches, and some 40 bytes for each row's key.
///
/// Names and types of the columns come from the store's schema. What it does not have yet is declared: of a file, all of it is
/// looked at for that, of a pipe the first batch. Integers stay integers, unless the column has fractions too; objects and arrays
/// become their JSON text; null is stored as null, and a member that is not there stays absent. Values must fit the declared types:
/// text is never taken for a number, but for `"nan"`, `"inf"` and `"-inf"` in a column of doubles; in CSV all is text, and a column is of
/// numbers or of true and false when all its fields are. A date is milliseconds since 1970, or
/// ISO 8601 text.
///
/// Importing a file again changes nothing, and records nothing.
public struct Importer: Sendable {
    /// The entity's wire name.
    public var entity: String
    /// The names of the members that identify a row; they become the entity's unique key.
    public var key: [String]
    /// The types of columns that the file alone does not tell, such as a date's.
    public var types: [String: ValueType]
    /// At most how many rows go into one transaction; fewer if they are more than 16 MiB of text.
    public var batch = 1_000
    /// How the file is written; nil to go by its name.
    public var format: ImportFormat?
    /// The author of the transactions.
    public var author = "import"

    /// - Parameters:
    ///   - key: the member that identifies a row.
    ///   - types: by member; what is not named is decided by the store's schema and the file.
    public init(entity: String, key: String, types: [String: ValueType] = [:]) {
        self.init(entity: entity, key: [key], types: types)
    }

    /// As ``init(entity:key:types:)``, with a key of several members.
    public init(entity: String, key: [String], types: [String: ValueType] = [:]) {
        self.entity = entity
        self.key = key
        self.types = types
    }

    /// Imports a file.
    ///
    /// - Throws: ``ImportError`` with the row and what is in the store. Of the batch with the row nothing is, of those before it
    ///   everything.
    @discardableResult
    public func run(
        _ path: String, into store: Store, progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws -> ImportSummary {
        let background = BackgroundQueue()
        let (feed, size) = try await background.run {
            let file = try open(path)
            let size = file.size
            let format = format ?? ImportFormat(path: path)
            var columns = try columns(for: store, source: path, format)
            if columns.isNew, size != nil { scan(try open(path), format, for: &columns) }
            return (ImportFeed(file, format, columns: columns, size: batch, store: store), size)
        }
        return try await run(feed, into: store, totalBytes: size, progress: progress)
    }

    /// Imports what another source gives, once, from front to back.
    package func run(
        _ source: sending any JSONByteSource, into store: Store,
        progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws -> ImportSummary {
        let name = source.name
        let format = format ?? .json
        let columns = try await BackgroundQueue().run { try self.columns(for: store, source: name, format) }
        let feed = ImportFeed(source, format, columns: columns, size: batch, store: store)
        return try await run(feed, into: store, totalBytes: nil, progress: progress)
    }

    /// While one batch is made durable, the next one is read.
    private func run(
        _ feed: ImportFeed, into store: Store, totalBytes: UInt64?, progress: @Sendable (ImportProgress) -> Void
    ) async throws -> ImportSummary {
        let background = BackgroundQueue()
        let entity = entity
        var summary = ImportSummary()
        do {
            var pending = try await background.run { try feed.next() }
            while let batch = pending {
                try Task.checkCancellation()
                async let following = background.run { try feed.next() }
                let receipt = try await store.write(author: author) { transaction in
                    try batch.apply(to: transaction, entity: entity, source: feed.source)
                }
                summary.add(receipt.value)
                progress(ImportProgress(summary: summary, bytes: batch.end, totalBytes: totalBytes))
                pending = try await following
            }
            return summary
        } catch var error as ImportError {
            error.imported = summary.rows
            throw error
        }
    }

    private func open(_ path: String) throws(ImportError) -> FileByteSource {
        do throws(JSONError) { return try FileByteSource(path: path) } catch { throw ImportError(error) }
    }

    private func columns(for store: Store, source: String, _ format: ImportFormat) throws -> ImportColumns {
        precondition(batch > 0, "a batch has at least one row")
        let declaration = try store.schema().first { WireName($0.name) == WireName(entity) }
        let stored = declaration?.uniqueKey ?? []
        guard stored.isEmpty || stored.map({ WireName($0) }) == key.map({ WireName($0) }) else {
            let names = stored.joined(separator: ", ")
            throw ImportError(
                .schema, "the unique key of \(entity) is \(names), not \(key.joined(separator: ", ")); import by \(names)",
                source: source)
        }
        if key.isEmpty { throw ImportError(.schema, "an import needs a key, by which rows are recognised", source: source) }
        if entity.isEmpty { throw ImportError(.schema, "an entity needs a name that is not empty", source: source) }
        for (place, name) in key.enumerated() where key[..<place].contains(where: { WireName($0) == WireName(name) }) {
            throw ImportError(.schema, "the key names \(name) twice; name it once", source: source)
        }
        return ImportColumns(declaration, entity: entity, key: key, overrides: types, isText: format == .csv)
    }

    /// Looks at the whole file, or as far as it can be read: reading it again will say what is wrong with it.
    private func scan(_ file: sending FileByteSource, _ format: ImportFormat, for columns: inout ImportColumns) {
        var reader = RecordReader(file, format)
        var scan = ColumnScan(isText: format == .csv)
        while let record = try? reader.next() { scan.add(record.members.filter { !columns.holds($0) }) }
        for name in scan.names where columns.types(of: name).isEmpty {
            for type in scan.types(of: name) { columns.add(type, to: name) }
        }
    }
}
