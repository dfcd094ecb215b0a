// Invariants
// * `state` is guarded by its mutex. While there are mailboxes there is a run, and one thread that serves it; whichever takes the
//   last mailbox away ends the run, and its thread ends by itself.
// * `place` belongs to the run's thread once that has begun; before, to the subscriber that makes the run.
// * What a mailbox is not told of is in what its observer reads after it subscribed.

import EventLog
import Storage
import Synchronization

/// Tells the observers of a store, from one thread, that what any process committed may concern them.
final class ChangeNotifier: Sendable {
    private struct State {
        var mailboxes: [ObjectIdentifier: ChangeMailbox] = [:]
        var run: Run?
    }

    /// Where a run has got to in the log.
    private struct Place {
        var count: UInt64
        var epoch: UInt64
        var token: HistoryToken
    }

    /// The time between the first mailbox and the last.
    private final class Run: Sendable {
        let engine: Engine
        let watcher: CommitWatcher
        let place: Mutex<Place>

        init(_ engine: Engine) throws {
            self.engine = engine
            watcher = try CommitWatcher(engine.log)
            // The count first: what comes between the two ends the first wait at once.
            let count = engine.log.commitCount
            let epoch = engine.log.epoch
            place = Mutex(Place(count: count, epoch: epoch, token: engine.token()))
        }
    }

    /// For how long one wait lasts at most, in milliseconds: what no commit shows (a failed one, a closed store) is seen then.
    private static let patience = 1000
    /// So many transactions are decoded at once; when more came, everybody looks.
    private static let mostDecoded = 1_024

    private let state = Mutex(State())

    /// Adds a mailbox; what is committed from now on is told.
    ///
    /// May wait for the disk.
    func subscribe(_ mailbox: ChangeMailbox, to engine: Engine) throws {
        try StoreError.wrap {
            if add(mailbox, begin: nil) { return }
            // Not under the lock: it waits for writes, and a write's closure may drop an observer.
            let begun = try Run(engine)
            guard add(mailbox, begin: begun) else { return }
            do throws(StorageError) {
                try WorkerThreads.run { [self] in serve(begun) }
            } catch {
                end(begun, LogError(error))
                throw LogError(error)
            }
        }
    }

    /// Adds a mailbox to the run there is, or to `run` when there is none.
    ///
    /// - Returns: without `run`, whether there was one; with it, whether it is the one that begins.
    private func add(_ mailbox: ChangeMailbox, begin run: Run?) -> Bool {
        state.withLock { state in
            let isRunning = state.run != nil
            if !isRunning { state.run = run }
            if state.run != nil { state.mailboxes[ObjectIdentifier(mailbox)] = mailbox }
            return run == nil ? isRunning : !isRunning
        }
    }

    func unsubscribe(_ mailbox: ChangeMailbox) {
        let ended = state.withLock { state -> Run? in
            state.mailboxes[ObjectIdentifier(mailbox)] = nil
            guard state.mailboxes.isEmpty else { return nil }
            defer { state.run = nil }
            return state.run
        }
        ended?.watcher.cancel()
    }

    /// Has the observers of a store that was closed hear of it now.
    func close() { state.withLock { $0.run }?.watcher.cancel() }

    /// How many observe.
    var count: Int { state.withLock { $0.mailboxes.count } }

    private func isCurrent(_ run: Run) -> Bool { state.withLock { $0.run === run } }

    private func serve(_ run: Run) {
        do {
            while isCurrent(run) {
                let count = run.place.withLock { $0.count }
                _ = run.watcher.wait(past: count, milliseconds: Self.patience)
                guard isCurrent(run) else { return }
                try run.engine.checkReadable()
                let changes = try run.place.withLock { try look(from: &$0, in: run.engine) }
                if !changes.isEmpty { post(changes, of: run) }
            }
        } catch {
            end(run, error)
        }
    }

    private func post(_ changes: ChangedNames, of run: Run) {
        let mailboxes = state.withLock { $0.run === run ? Array($0.mailboxes.values) : [] }
        for mailbox in mailboxes { mailbox.post(changes) }
    }

    /// Ends a run that cannot go on.
    private func end(_ run: Run, _ error: any Error) {
        let mailboxes = state.withLock { state -> [ChangeMailbox] in
            guard state.run === run else { return [] }
            defer { state = State() }
            return Array(state.mailboxes.values)
        }
        for mailbox in mailboxes { mailbox.fail(StoreError.translated(error)) }
    }

    private func look(from place: inout Place, in engine: Engine) throws -> ChangedNames {
        let log = engine.log
        let count = log.commitCount
        let epoch = log.epoch
        // After a failed commit, what was pending and may have been seen is gone.
        var changes = epoch == place.epoch ? ChangedNames() : .everything
        guard count != place.count || !changes.isEmpty else { return changes }
        try log.refresh()
        // In a forked origin, what comes may change under which name the rest is known, and what it overwrites.
        if log.durableState.branches.hasForks { changes = .everything }
        var history: StoredHistory
        do throws(LogError) {
            history = try StoredHistory(log, after: place.token)
        } catch {
            guard error.code == .historyExpired else { throw error }
            // A baseline came from elsewhere, or what was to be looked at was trimmed.
            history = try StoredHistory(log, after: log.token)
            changes = .everything
        }
        var decoded = 0
        while let stored = try history.next() {
            guard !changes.isGeneral else { continue }
            decoded += 1
            // A staged one is too large to be read just for its names.
            if decoded > Self.mostDecoded || stored.isStaged {
                changes = .everything
            } else {
                for change in try history.decode(stored).changes { changes.add(change) }
            }
        }
        place = Place(count: count, epoch: epoch, token: history.token)
        return changes
    }
}
