public import EventLog
public import Storage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a store is.
public enum StoreLocation: Sendable {
    /// In memory: the same engine without files, for tests and previews.
    case inMemory
    /// In a directory.
    case directory(String)
    /// In a directory of another world: see the `Simulation` library.
    case environment(String, Environment)

    var resolved: (path: String, environment: Environment) {
        switch self {
        case .inMemory: ("/store", Environment.inMemory())
        case .directory(let path): (path, Environment.system)
        case .environment(let path, let environment): (path, environment)
        }
    }

    /// Whether a store there keeps log files unless told otherwise: who simulates a world wants to see in it what was asked for alone.
    var isRecorded: Bool {
        if case .directory = self { true } else { false }
    }
}

extension Store {
    /// How a store is opened.
    public struct Options: Sendable {
        /// Make the store when there is nothing, or an empty directory.
        public var creates = true
        /// Change nothing of the log, not even to recover.
        ///
        /// What a store answers from is made anew from the log where it is damaged, and kept where that is allowed.
        public var isReadOnly = false
        /// The dataset to join when the store is made; a new one without.
        public var dataset: DatasetID?
        /// Bytes of memory for what was read of the projection's files, at least 1 MiB.
        ///
        /// What an application goes through again and again is best kept in it: a million small objects take about 100 MiB.
        /// Texts that objects are grouped by may take half as much again.
        public var cacheBytes: Int {
            get { projection.cache }
            set { projection.cache = newValue }
        }
        /// Hears what the store notices and does by itself, on a thread of its own; see also ``Store/reports``.
        public var onReport: (@Sendable (StoreReport) -> Void)?
        /// For how long a snapshot may keep files that the store itself needs no more, before that is reported.
        public var snapshotPatience = Duration.seconds(60)
        /// Whether the store keeps log files of what it does, in its folder `logs`, of at most 8 MiB together; no value of a property is
        /// ever in them.
        ///
        /// Left nil, stores in directories do, and others do not. A store opened for reading only notes what is out of the ordinary.
        public var writesLogFiles: Bool?
        package var projection = ProjectionSizes()
        package var records = RecordOptions()

        public init() {}

        func records(at location: StoreLocation) -> RecordOptions {
            var records = records
            records.isWritten = writesLogFiles ?? location.isRecorded
            if isReadOnly { records.level = max(records.level, .notice) }
            return records
        }
    }

    /// Opens the store at a file URL, or makes it.
    ///
    /// - Parameters:
    ///   - url: of a directory.
    ///   - types: the app's entities. What the store does not know of them yet is recorded.
    /// - Throws: ``StoreError`` `invalidSchema` with every mistake, `invalidOption`, `notAStore`, `corrupt` with file and offset,
    ///   `unsupportedVersion`, `storage`.
    public static func open<each Root: Entity>(
        at url: URL, _ types: repeat (each Root).Type, options: Options = Options()
    ) async throws -> Store {
        try await open(.directory(url.path), repeat each types, options: options)
    }

    /// Opens the store at a location, or makes it.
    ///
    /// - Throws: as ``open(at:_:options:)``.
    public static func open<each Root: Entity>(
        _ location: StoreLocation, _ types: repeat (each Root).Type, options: Options = Options()
    ) async throws -> Store {
        let schemas = SchemaSet(repeat each types)
        return try await background.run { try Store(location, schemas, options) }
    }

    /// Makes a store where there is none.
    ///
    /// - Parameter dataset: the dataset to join; a new one without.
    /// - Throws: ``StoreError`` `alreadyExists` when there is a store, or anything else, already.
    public static func create(_ location: StoreLocation, dataset: DatasetID? = nil) async throws -> Store {
        try await background.run {
            let (path, environment) = location.resolved
            let layout = StoreLayout(root: path)
            let options = Options()
            let records = RecordLog(layout, in: environment, options.records(at: location))
            let engine = try records.opening(layout, in: environment, options) {
                let log = try StoreError.wrap { try EventLog.create(at: path, in: environment, dataset: dataset) }
                return try Engine(log, layout: layout, in: environment, schemas: SchemaSet(), options, records)
            }
            return Store(engine)
        }
    }

    static let background = BackgroundQueue()
    private static let smallestCache = 1 << 20

    private convenience init(_ location: StoreLocation, _ schemas: SchemaSet, _ options: Options) throws {
        let mistakes = schemas.problems.filter(\.isFatal)
        guard mistakes.isEmpty else {
            throw StoreError(.invalidSchema, mistakes.map(\.description).joined(separator: "\n"))
        }
        guard options.cacheBytes >= Self.smallestCache else {
            throw StoreError(
                .invalidOption,
                "a cache of \(options.cacheBytes) bytes does not hold what one question reads; "
                    + "give cacheBytes at least \(Self.smallestCache)")
        }
        let (path, environment) = location.resolved
        let layout = StoreLayout(root: path)
        let records = RecordLog(layout, in: environment, options.records(at: location))
        let engine = try records.opening(layout, in: environment, options) {
            let log = try Self.log(at: path, in: environment, options)
            let engine = try Engine(log, layout: layout, in: environment, schemas: schemas, options, records)
            if !options.isReadOnly { try engine.declare(schemas.declarations) }
            try engine.reportRetyped(schemas.declarations)
            return engine
        }
        self.init(engine)
    }

    private static func log(at path: String, in environment: Environment, _ options: Options) throws -> EventLog {
        do throws(LogError) {
            return try EventLog.open(at: path, in: environment, mode: options.isReadOnly ? .readOnly : .readWrite)
        } catch {
            guard error.code == .notFound || error.code == .notAStore, options.creates, !options.isReadOnly else {
                throw StoreError(error)
            }
        }
        do throws(LogError) {
            return try EventLog.create(at: path, in: environment, dataset: options.dataset)
        } catch {
            guard error.code == .alreadyExists else { throw StoreError(error) }
        }
        // Another process was quicker, or what is there is no store: opening says which.
        return try StoreError.wrap { try EventLog.open(at: path, in: environment) }
    }
}

extension Engine {
    /// Records what the store does not know of some entities.
    fileprivate func declare(_ declarations: [EntityDeclaration]) throws {
        guard !declarations.isEmpty else { return }
        try StoreError.wrap {
            let (_, ticket) = try perform(author: "") { tx in for declaration in declarations { try tx.declare(declaration) } }
            if ticket != nil { try log.flush() }
        }
    }

    /// Says which properties the store knows under another type: their values stay there, and read as the default.
    fileprivate func reportRetyped(_ declarations: [EntityDeclaration]) throws {
        guard !declarations.isEmpty else { return }
        let schema = try read { $0.state.schema }
        for declaration in declarations {
            for field in declaration.fields {
                let stored = schema.fields(of: WireName(declaration.name)).map(\.property).filter { other in
                    other.name.utf8.elementsEqual(field.property.name.utf8) && other.type != field.property.type
                        && !declaration.fields.contains { $0.property == other }
                }
                guard !stored.isEmpty else { continue }
                reports.add(
                    .propertyRetyped(
                        entity: declaration.name, property: field.property.name, type: field.property.type,
                        stored: stored.map(\.type)))
            }
        }
    }
}
