import EventLog
import Simulation
import Storage
import Strandline
import SyncProtocol

/// A simulated machine with stores on it: the same seed gives the same bytes.
struct FormatMachine {
    let files: SimulatedFileSystem
    let clock: SimulatedClock
    let environment: Environment
    let random: SeededRandom

    init(seed: UInt64) {
        self.init(seed: seed, files: SimulatedFileSystem(), clock: SimulatedClock())
    }

    private init(seed: UInt64, files: SimulatedFileSystem, clock: SimulatedClock) {
        self.files = files
        self.clock = clock
        environment = .simulated(seed: seed, fileSystem: files, clock: clock)
        random = SeededRandom(seed: seed &+ 1)
    }

    /// A second machine with the same disk, as after a rollback of a virtual one: stores do not notice.
    func clone(seed: UInt64) -> FormatMachine {
        let clone = FormatMachine(seed: seed, files: files.clone(sameIdentity: true), clock: clock)
        var environment = clone.environment
        environment.host = self.environment.host
        return FormatMachine(clone, environment)
    }

    private init(_ machine: FormatMachine, _ environment: Environment) {
        (files, clock, random) = (machine.files, machine.clock, machine.random)
        self.environment = environment
    }

    func bytes(_ count: Int) -> [UInt8] {
        var writer = ByteWriter(capacity: count + 8)
        while writer.count < count { writer.u64(random.next()) }
        return Array(writer.bytes.prefix(count))
    }

    /// Makes an empty store whose segments have from 64 KiB, so that fixtures stay small.
    func create(_ path: String, dataset: DatasetID? = nil, sizes: LogSizes = FormatMachine.smallSizes) throws {
        try EventLog.create(at: path, in: environment, dataset: dataset, sizes: sizes).close()
    }

    static let smallSizes = LogSizes(smallestSegment: 64 << 10, largestSegment: 64 << 10)

    func open(_ path: String) async throws -> Store {
        var options = Store.Options()
        options.creates = false
        return try await Store.open(.environment(path, environment), options: options)
    }

    /// Opens a store, lets time pass a little, runs `body` and closes it.
    @discardableResult
    func with<Result>(_ path: String, _ body: (Store) async throws -> Result) async throws -> Result {
        clock.advance(milliseconds: 10)
        let store = try await open(path)
        let result = try await body(store)
        try await store.close()
        return result
    }

    /// Gives each of two closed stores what it lacks.
    func sync(_ path: String, with other: String, on machine: FormatMachine? = nil) throws {
        let machine = machine ?? self
        let here = try EventLog.open(at: path, in: environment)
        let there = try EventLog.open(at: other, in: machine.environment)
        _ = try DirectExchange(
            here, BlobStore(StoreLayout(root: path), in: environment, concurrently: false),
            with: there, BlobStore(StoreLayout(root: other), in: machine.environment, concurrently: false)
        ).sync()
        try here.close()
        try there.close()
    }

    func contents(of path: String) throws -> StoreFiles { try StoreFiles(at: path, in: files).trimmed() }
}
