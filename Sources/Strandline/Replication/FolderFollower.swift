// Invariants
// * For the thread of its replication alone; what it watches wakes that thread.

import EventLog
import Storage
import SyncProtocol

/// Keeps a store in sync with a shared folder: exchanges when something was committed here, or has appeared there.
struct FolderFollower: ~Copyable {
    private let engine: Engine
    private let path: String
    private let policy: BlobPolicy
    private let folder: FolderWatch
    private let commits: LogWatch
    private let interval: Int
    private var hasTold = false

    /// On network file systems little is heard.
    static let usualInterval = 5_000
    /// Milliseconds of quiet after which what came together is exchanged together, and how often these are waited for at most.
    private static let quiet = (milliseconds: 50, times: 10)

    /// - Parameter interval: milliseconds after which it looks without having heard of anything.
    init(_ engine: Engine, _ path: String, _ policy: BlobPolicy, interval: Int, _ changed: WakeSignal) {
        self.interval = interval
        self.engine = engine
        self.path = path
        self.policy = policy
        folder = FolderWatch(engine.environment.fileSystem) { changed.advance() }
        commits = LogWatch(engine.log) { changed.advance() }
    }

    mutating func exchange() throws {
        try engine.checkReadable()
        let isFirst = !hasTold
        hasTold = true
        // Before it is looked at, so that nothing is missed in between.
        folder.follow(FolderExchange.watched(path, engine.log, engine.environment))
        _ = try engine.exchange(folder: path, policy, isTold: isFirst) { _ in }
        folder.follow(FolderExchange.watched(path, engine.log, engine.environment))
    }

    /// Waits for a reason to exchange again.
    ///
    /// - Parameter ticket: the generation of `changed` before the last exchange.
    func wait(_ changed: WakeSignal, past ticket: UInt64, isStopped: () -> Bool) {
        guard changed.wait(past: ticket, milliseconds: interval) else { return }
        engine.records.note(.folderStirred, .peer("folder:" + path))
        for _ in 0..<Self.quiet.times where !isStopped() {
            guard changed.wait(past: changed.generation, milliseconds: Self.quiet.milliseconds) else { return }
        }
    }

    deinit {
        folder.end()
        commits.end()
    }
}
