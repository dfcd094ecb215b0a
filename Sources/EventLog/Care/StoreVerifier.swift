// Invariants
// * `state` is what the frames before the place at hand mean, or nil when damage or an unknown frame hides it; then nothing is
//   compared with it, so that one damage is one problem, and the next index gives it back.
// * A length, number or count from a file is checked before it is reckoned with: no bytes, whoever made them, stop the process.
// * Nothing is changed, locked or created. For one thread.

import Storage

/// Checks a store from its files alone.
final class StoreVerifier {
    let layout: StoreLayout
    let environment: Environment
    private let progress: (UInt64, UInt64) throws -> Void
    var report = LogVerification()
    private var total: UInt64 = 0
    private var reported: UInt64 = 0

    var dataset: DatasetID?
    var log: Digest128?
    var manifest: Manifest?
    /// As it was when the work began; nil when nobody vouches for anything.
    private(set) var live: SharedState.Published?

    var state: LogState?
    /// Where the log stood at the end of the segment before, nil when that is not known.
    var end: LogPosition?
    var groups = GroupPlaces()
    var open: OpenParts?
    /// Read in the frame at hand, to be checked behind it.
    var stagesDue: [StageCommit] = []
    var decoder = TransactionDecoder()
    var knownStages: Set<String> = []
    /// The state of the log before the first segment, as far as anything was trimmed.
    var frontIndex: SegmentIndex?
    /// The baselines that the log refers to; nil when damage hides which these are.
    var knownBaselines: Set<Digest128>?
    var lookedUp: Set<BlobID> = []
    /// Blobs that the log and its baselines name, as far as they could be read.
    var named: Set<UInt64> = []
    /// Whether something needs a newer version, and may name more.
    var isAnythingUnread = false

    var fileSystem: any FileSystem { environment.fileSystem }

    init(_ layout: StoreLayout, in environment: Environment, progress: @escaping (UInt64, UInt64) throws -> Void) {
        self.layout = layout
        self.environment = environment
        self.progress = progress
    }

    func run() throws {
        try checkThere()
        live = readLive()
        checkIdentity()
        let segments = listSegments()
        total = measure(segments)
        try check(segments)
        if let live, report.lastLSN < live.durableLSN, report.isSound {
            problem(
                layout.log, nil, "the log ends at transaction \(report.lastLSN), and \(live.durableLSN) was durable",
                Self.restore)
        }
        try checkBaselines()
        listLeftovers(ordinals: manifest?.firstOrdinal ?? 0)
        try checkBlobs()
        try listOrphans()
        try progress(total, total)
    }

    /// Whether anything here was a store.
    private func checkThere() throws(LogError) {
        let names: [String]
        do throws(StorageError) {
            names = try fileSystem.list(layout.root)
        } catch {
            switch error.code {
            case .notFound: throw LogError(.notFound, "there is no store; create it first", path: layout.root)
            case .notDirectory, .isDirectory:
                throw LogError(.notAStore, "this is a file, not a store", path: layout.root)
            default: throw LogError(error)
            }
        }
        guard names.contains("IDENTITY") || names.contains("MANIFEST") else {
            throw LogError(.notAStore, "this directory is not a store: it has no IDENTITY and no MANIFEST", path: layout.root)
        }
    }

    /// What the shared page says now, if it is of this boot.
    func readLive() -> SharedState.Published? {
        SharedState.published(in: layout, fileSystem, boot: environment.host.boot)
    }

    /// Notes that `bytes` more were read.
    func advance(_ bytes: UInt64) throws {
        report.bytes += bytes
        guard report.bytes - reported >= 1 << 20 else { return }
        reported = report.bytes
        try progress(min(report.bytes, total), total)
    }
}

// How findings are noted.
extension StoreVerifier {
    static let restore = "restore it from a backup, or repair the store from a replica"
    static let reread = "check the device, then verify again"
    static let harmless = "nothing is lost by it; if no crash explains it, check the device"

    func problem(_ path: String, _ offset: UInt64?, _ what: String, _ remedy: String = restore) {
        report.add(problem: LogVerification.Finding(path: path, offset: offset, what: what, remedy: remedy))
    }

    func note(_ path: String, _ offset: UInt64?, _ what: String, _ remedy: String) {
        report.add(note: LogVerification.Finding(path: path, offset: offset, what: what, remedy: remedy))
    }

    /// Notes that a file could not be read, or holds bytes that do not follow their format.
    func problem(_ error: StorageError, in path: String, at base: UInt64 = 0) {
        switch error.code {
        case .malformed:
            problem(path, base + (error.offset ?? 0), "damaged: \(error.detail ?? "malformed bytes")")
        case .newerVersion, .unsupported:
            isAnythingUnread = true
            note(path, base, error.detail ?? "something unknown", "use a newer version to read and check it")
        default:
            problem(error.path ?? path, error.offset ?? base, error.description, Self.reread)
        }
    }

    func problem(_ error: LogError, in path: String) {
        // What to do about it is said apart.
        let what = error.code == .storage ? error.message : String(error.message.prefix { $0 != ";" })
        if error.code == .unsupportedVersion {
            isAnythingUnread = true
            note(error.path ?? path, error.offset, what, "use a newer version to read and check it")
        } else {
            problem(error.path ?? path, error.offset, what, error.code == .storage ? Self.reread : Self.restore)
        }
    }
}
