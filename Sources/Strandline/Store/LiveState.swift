// Invariants
// * `box.state` is the fold of what the log has applied, with what this process has pending, while `epoch` is the log's: a failed
//   commit takes away what was pending.
// * `box.state` is that of the manifest `generation` at its base, with levels above it that are frozen in the order they were written.
//   A manifest up to `distrusted` is not read any more: a run of it could not be.
// * Everything but `withLock` and `current` is used inside `withLock` only. A writer is inside from before its closure until its
//   transaction is with the log, a reader until it has the state. The log's own locks come after this one.
// * Runs that hold a transaction in progress are in no manifest, and go with it when it is rolled back.

import EventLog
import Projection
import Storage
import Synchronization

/// The state of an open store, kept up with its log.
final class LiveState: @unchecked Sendable {  // Guarded by `lock`.
    let box: StateBox
    let lock = TransactionLock()
    let log: EventLog
    var epoch: UInt64
    /// Up to where the log was read.
    var followed: HistoryToken?
    /// A state of the log of which `box.state` has all that is applied; nil while it is being read.
    var reached: LogState? { didSet { if let reached { notes?.look(at: reached) } } }
    /// Origins that wrote what this version cannot read: nothing of them is applied from there on.
    var stopped: Set<ReplicaID> = []
    /// Once an origin has forked, or somebody knew of a fork that is not here: what names what is applied.
    var names: NameResolver?
    /// How often everything was folded anew, because something applied got another name.
    var foldsAnew = 0
    let materialiser: Materialiser
    let sizes: ProjectionSizes
    var generation: UInt64 = 0
    var distrusted: UInt64 = 0
    /// Runs are written: by who writes, and by who only reads once it met damage.
    var writesRuns: Bool
    /// Something of the runs could not be used, and what was folded instead is in no manifest yet.
    var isHealing = false
    /// Why runs could not be written last.
    var unwritten: StorageError?
    /// Bytes in memory at which writing runs is tried next.
    var limit: Int
    /// Whether something was written through this store.
    private let isWriter = Atomic(false)
    var isBegun = false
    /// The base has runs that no manifest names.
    var isUnpublished = false
    /// Whether it had before the transaction in progress, if that has spilled.
    var wasUnpublished = false
    /// The transaction in progress has runs, or is getting one.
    var hasSpilled = false
    /// What readers were given last, and where the log was then: good until one of the two changes.
    private var given: (state: FoldState, position: LogPosition)?
    private let reports: ReportLog
    let notes: BranchNotes?
    /// Called with the runs that have taken the place of others.
    let onPublished: (RunSet) -> Void

    init(
        _ log: EventLog, blobs: any BlobSource, _ materialiser: Materialiser, _ sizes: ProjectionSizes,
        reports: ReportLog = ReportLog(), notes: BranchNotes? = nil, onPublished: @escaping (RunSet) -> Void = { _ in }
    ) {
        self.log = log
        self.reports = reports
        self.notes = notes
        self.onPublished = onPublished
        self.materialiser = materialiser
        self.sizes = sizes
        writesRuns = sizes.isWritten
        limit = sizes.memory * Self.readersShare
        epoch = log.epoch
        box = StateBox(.tracking, blobs: blobs)
    }

    func withLock<Result>(_ body: (LiveState) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(self) }
    }

    /// The state as it is now, or before the transaction that is in progress; to be read only.
    func current() throws -> FoldState {
        try lock.read(at: log.durableState.position) {
            if let given, given.position == log.durableState.position, isBegun, epoch == log.epoch, materialiser.isIdle,
                given.state.objects.base?.failure == nil
            {
                return given.state
            }
            let position = try follow().position
            let state = box.state.view()
            given = (state, position)
            return state
        }
    }

    func forgetGiven() { given = nil }

    /// Notes that something is written through this store.
    func noteWriting() { isWriter.store(true, ordering: .relaxed) }

    /// Bytes in memory at which runs are written.
    ///
    /// Who only reads what another process writes leaves the runs to that process as well: it would be in its way.
    var usualLimit: Int { isWriter.load(ordering: .relaxed) ? sizes.memory : sizes.memory * Self.readersShare }
    private static let readersShare = 3

    /// Begins a transaction, of which no reader sees anything before ``commit()``.
    ///
    /// - Parameter isOwn: of this store. Its readers get what was there before; for what comes from the log, they wait.
    func begin(isOwn: Bool = true) {
        given = nil
        if isOwn {
            if !isWriter.exchange(true, ordering: .relaxed) { limit = min(limit, sizes.memory) }
            lock.setCommitted(box.state.view())
        }
        box.state.begin()
        hasSpilled = false
    }

    func commit() {
        box.state.commit()
        lock.setCommitted(nil)
    }

    func rollback() {
        if hasSpilled {
            materialiser.wait()
            _ = materialiser.take()
            isUnpublished = wasUnpublished
        }
        box.state.rollback()
        lock.setCommitted(nil)
    }

    /// Joins what the durable log has beyond the state.
    ///
    /// - Returns: what of the log the state has. The log itself may have grown since, by another thread or process.
    @discardableResult
    func follow() throws(LogError) -> LogState {
        if epoch != log.epoch { return try reset() }
        if !isBegun {
            // What is pending can be read once it is in the log.
            if log.hasPending { try log.flush() }
            return try reset()
        }
        takeOver()
        if let damage = box.state.objects.base?.failure { return try distrust(damage) }
        let durable = log.durableState
        if isBehind(durable.branches) {
            do throws(LogError) { try read(durable) } catch {
                // A baseline came from elsewhere, or what was to be read next was trimmed: the baseline has it.
                guard error.code == .historyExpired else { throw error }
                return try reset()
            }
            if let damage = box.state.objects.base?.failure { return try distrust(damage) }
        } else {
            reached = durable
        }
        materialise()
        return reached ?? durable
    }

    /// Makes the state that which the next transaction follows, the log's own pending ones included.
    func followWriter() throws(LogError) {
        if epoch != log.epoch { try reset() }
        // On runs that could not be read, every transaction would fail as the one did that met the damage.
        let isDamaged = box.state.objects.base?.failure != nil
        guard isDamaged || isBehind(log.writerState.branches) else { return }
        // What is pending can be read once it is in the log.
        try log.flush()
        try follow()
    }

    /// Of each origin that wrote what this version cannot read: the last sequence before that.
    var stops: [ReplicaID: UInt64] {
        Dictionary(uniqueKeysWithValues: stopped.map { ($0, box.state.origins[$0]?.sequence ?? 0) })
    }

    /// A token of the log without what this version cannot read, and without what follows that in its origin.
    func readable(_ token: HistoryToken) -> HistoryToken {
        let stops = stops
        guard token.vector.entries.contains(where: { $0.sequence > stops[$0.origin] ?? .max }) else { return token }
        var vector = VersionVector()
        for entry in token.vector.entries {
            if entry.sequence <= stops[entry.origin] ?? .max {
                vector.advance(entry.origin, to: entry.sequence, chain: entry.chain)
            } else if let applied = box.state.origins[entry.origin] {
                vector.advance(entry.origin, to: applied.sequence, chain: applied.chain)
            }
        }
        return HistoryToken(dataset: token.dataset, vector: vector)
    }

    /// Begins anew from the log.
    @discardableResult
    func reset() throws(LogError) -> LogState {
        let current = log.epoch
        given = nil
        isBegun = false
        materialiser.wait()
        _ = materialiser.take()
        try load()
        var durable = log.durableState
        do throws(LogError) { try read(durable) } catch {
            // What the manifest says does not fit the log: it was put back, or is another one; or it was trimmed.
            guard box.state.objects.base != nil || error.code == .historyExpired else { throw error }
            settle()
            clear()
            durable = log.durableState
            try read(durable)
        }
        epoch = current
        isBegun = true
        if let damage = box.state.objects.base?.failure { return try distrust(damage) }
        // Whoever comes next is not to meet the damage again.
        if isHealing { limit = -1 }
        materialise()
        return reached ?? durable
    }

    /// Folds the log anew without the runs, one of which cannot be read.
    private func distrust(_ damage: StorageError) throws(LogError) -> LogState {
        reports.add(.projectionRepaired(reason: damage.description))
        distrusted = max(distrusted, generation)
        heal()
        // What is pending can be read once it is in the log.
        if log.hasPending { try log.flush() }
        return try reset()
    }

    private func clear() {
        box.state = .tracking
        stopped = []
        followed = nil
        reached = nil
        names = nil
        limit = usualLimit
        isUnpublished = false
    }

    private func heal() {
        writesRuns = true
        isHealing = true
    }

    /// Begins with what was materialised, as far as it fits the log.
    ///
    /// - Throws: `storage` when it cannot be read now; it is there still.
    private func load() throws(LogError) {
        clear()
        do throws(StorageError) {
            guard let found = try materialiser.directory.load() else {
                generation = 0
                return
            }
            generation = found.generation
            guard found.generation > distrusted, fits(found) else { return }
            box.state = found.state
            followed = found.token
            names = found.names
        } catch {
            guard error.isDamage else { throw LogError(error) }
            // It is made again from the log. That another version wrote it is nobody's fault.
            if error.code != .newerVersion { reports.add(.projectionRepaired(reason: error.description)) }
            generation = (try? materialiser.directory.generation()) ?? 0
            distrusted = generation
            heal()
        }
    }

    /// Whether the log has all that was materialised.
    private func fits(_ found: ProjectionDirectory.Found) -> Bool {
        let durable = log.durableState
        guard found.token.dataset == log.dataset, found.names?.learnt ?? 0 <= durable.position.lastLSN else { return false }
        let applied = Dictionary(
            durable.branches.positions(applied: true).map { ($0.name, $0.position) }, uniquingKeysWith: { $1 })
        return found.state.origins.allSatisfy { name, origin in
            guard let position = applied[name] else { return origin.sequence == 0 }
            return position.sequence > origin.sequence
                || (position.sequence == origin.sequence && position.chain == origin.chain)
        }
    }

    private func read(_ durable: LogState) throws(LogError) {
        reached = nil
        if followed == nil, box.state.origins.isEmpty { try beginAtFloor(durable) }
        if names == nil, !durable.branches.hasForks, try advance() { return }
        try advanceForked()
    }

    /// Whether something is applied in the log that is not in the state, or is there by another name.
    ///
    /// What the state has beyond is pending.
    func isBehind(_ branches: BranchTable) -> Bool {
        branches.branches.contains { branch in
            let applied = branch.applied
            guard applied.sequence > 0, applied.sequence >= branch.root.firstSequence, !stopped.contains(branch.name) else {
                return false
            }
            guard let known = box.state.origins[branch.name], known.sequence >= applied.sequence else { return true }
            return known.sequence == applied.sequence && known.chain != applied.chain
        }
    }
}
