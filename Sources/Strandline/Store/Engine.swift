// Invariants
// * A closure runs on a thread of `queue`, with `live` locked: reading through the engine there would wait for itself, so it is
//   refused.
// * After `close` nothing reads or writes.

import EventLog
import Projection
import Storage
import SyncProtocol
import Synchronization

/// An open store, synchronous: the log, the state folded from it, and the queue of writes.
final class Engine: Sendable {
    let log: EventLog
    let blobs: BlobStore
    let schemas: SchemaSet
    let environment: Environment
    let layout: StoreLayout
    private let live: LiveState
    private let queue: CommitQueue
    private let isClosed = Atomic(false)
    /// By folder: what an exchange remembers saves looking at it again.
    let exchanges = Mutex<[String: FolderExchange]>([:])
    let background = BackgroundQueue()
    let notifier = ChangeNotifier()
    let reports: ReportLog
    let snapshots: HeldSnapshots
    let own = OwnTransactions()
    let past: PastStates
    let replicator: Replicator
    let records: RecordLog
    let syncNotes: SyncNotes
    let operations: OperationClock
    let blockCache: BlockCache
    private let flushes: FlushFigures

    init(
        _ log: EventLog, layout: StoreLayout, in environment: Environment, schemas: SchemaSet,
        _ options: Store.Options = Store.Options(), _ records: RecordLog
    ) throws {
        self.records = records
        var sizes = options.projection
        if options.isReadOnly { sizes.isWritten = false }
        let operations = OperationClock(environment.clock)
        self.operations = operations
        let flushes = FlushFigures(records, environment.clock, operations)
        self.flushes = flushes
        let branchNotes = BranchNotes(records, environment.clock)
        let syncNotes = SyncNotes(records, environment.clock)
        self.syncNotes = syncNotes
        let reports = ReportLog(options.onReport, records)
        let snapshots = HeldSnapshots(environment.clock, patience: options.snapshotPatience, reports)
        self.reports = reports
        self.snapshots = snapshots
        self.log = log
        self.schemas = schemas
        self.environment = environment
        self.layout = layout
        blobs = BlobStore(layout, in: environment)
        replicator = Replicator(blobs, environment.clock) { event in
            syncNotes.note(event)
            // A hub that nobody reads hears of holds and forks this way.
            if event.ended != nil { branchNotes.look(at: log.durableState) }
        }
        past = PastStates(layout, in: environment, sizes)
        if sizes.isWritten { past.removeLeftovers() }
        let directory = ProjectionDirectory(layout.runs, in: environment, cacheBytes: sizes.cache)
        blockCache = directory.cache
        let live = LiveState(
            log, blobs: StoreBlobs(store: blobs), Materialiser(directory, operations), sizes, reports: reports,
            notes: branchNotes,
            onPublished: { snapshots.check(against: $0) })
        self.live = live
        try live.withLock { _ = try $0.follow() }
        queue = CommitQueue(log, flushes) {
            records.note(.commitFailed, error: log.lastFailure)
            // What failed must not be seen either. Should reading fail too, the next read or write tries again.
            live.withLock { _ = try? $0.reset() }
        }
        try queue.start()
    }

    /// A store that was not closed: its writes have ended, for each holds the engine.
    deinit { queue.end() }

    /// Reads the state as it is now: with everything written through this store, and what others made durable.
    func read<Result>(_ body: (StateReader) throws -> Result) throws -> Result {
        try operations.measure(.read) { try readQuickly(body) }
    }

    /// ``read(_:)`` for what takes less than to measure it is worth.
    func readQuickly<Result>(_ body: (StateReader) throws -> Result) throws -> Result {
        try checkReadable()
        return try StoreError.wrap {
            let state = try state()
            do {
                let result = try body(StateReader(box: StateBox(state, blobs: StoreBlobs(store: blobs))))
                if state.objects.base?.failure == nil { return result }
            } catch {
                if state.objects.base?.failure == nil { throw error }
            }
            // Something of the runs could not be read; the log has it.
            let again = try self.state()
            let result = try body(StateReader(box: StateBox(again, blobs: StoreBlobs(store: blobs))))
            guard let damage = again.objects.base?.failure else { return result }
            // While a transaction is in progress there is no other state to read.
            throw Self.damaged(damage)
        }
    }

    /// The state as it is now; a value of its own, so that reading it keeps nobody waiting.
    func state() throws -> FoldState {
        try log.refresh()
        return try live.current()
    }

    /// Reads the state when everything in it is durable, with the log's position.
    func readDurable<Result>(_ body: (FoldState, LogState) throws -> Result) throws -> Result {
        try checkReadable()
        return try StoreError.wrap {
            let (state, position) = try durable()
            do {
                let result = try body(state, position)
                if state.objects.base?.failure == nil { return result }
            } catch {
                if state.objects.base?.failure == nil { throw error }
            }
            // Something of the runs could not be read; the log has it.
            let (again, place) = try durable()
            let answered = Swift.Result { try body(again, place) }
            if let damage = again.objects.base?.failure { throw Self.damaged(damage) }
            return try answered.get()
        }
    }

    /// What was read may lack something.
    private static func damaged(_ damage: StorageError) -> StoreError {
        StoreError(
            .busy, "a part of the projection is damaged and is made anew from the log; try again: \(damage)",
            underlying: LogError(damage))
    }

    private func durable() throws -> (FoldState, LogState) {
        try log.refresh()
        return try live.withLock { live in
            if log.hasPending { try log.flush() }
            let position = try live.follow()
            return (live.box.state, position)
        }
    }

    /// The state, with the log's position, and what names the transactions up to there.
    ///
    /// - Parameter flushes: whether everything in the state is to be durable.
    func named(flushes: Bool = true) throws -> (state: FoldState, position: LogState, names: NameResolver) {
        try log.refresh()
        return try live.withLock { live in
            if flushes, log.hasPending { try log.flush() }
            let reached = try live.follow()
            if let (names, position) = try live.namesNow() { return (live.box.state, position, names) }
            return (live.box.state, reached, NameResolver(reached.branches))
        }
    }

    /// The token of a state of the log, or of its present one: of what is durable and applied, and this version can read.
    func token(at state: LogState? = nil) -> HistoryToken {
        guard !isClosed.load(ordering: .acquiring), !queue.isCurrent else {
            return log.token(at: state ?? log.durableState)
        }
        // What others wrote belongs to it; if that cannot be read now, whoever reads more hears of it.
        if state == nil { _ = try? log.refresh() }
        return live.withLock { live in
            let reached = try? live.follow()
            return live.readable(log.token(at: state ?? reached ?? log.durableState))
        }
    }

    /// Of each origin that wrote what this version cannot read: the last sequence before that.
    func stops() throws -> [ReplicaID: UInt64] {
        try checkReadable()
        return try StoreError.wrap {
            try log.refresh()
            return try live.withLock { live in
                try live.follow()
                return live.stops
            }
        }
    }

    func checkReadable() throws(StoreError) {
        if isClosed.load(ordering: .acquiring) { throw StoreError(.closed, "the store was closed; open it again") }
        guard !queue.isCurrent else {
            throw StoreError(.insideWrite, "the store was read inside a write; read through the transaction instead")
        }
    }

    /// Runs `body`, which writes to the log in its own way, between two writes.
    func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
        live.noteWriting()
        return try queue.exclusively(body)
    }

    func rebuild() throws { try live.withLock { try $0.rebuild() } }

    /// How often all was folded anew, because something applied got another name.
    var foldsAnew: Int { live.withLock { $0.foldsAnew } }

    func compact() throws { try live.withLock { try $0.compact() } }

    /// Lets the next opening begin where the log is now.
    func publishPosition() { live.withLock { $0.publishPosition() } }

    /// Closes the log once all writes have ended.
    func close() throws {
        guard !isClosed.load(ordering: .acquiring) else { return }
        replicator.close()
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        defer { records.close() }
        try records.measure(.closing) { span in
            queue.close()
            notifier.close()
            live.withLock { $0.finish() }
            past.close()
            try StoreError.wrap { try log.close() }
            span.fields += flushes.fields
        }
    }
}

// Writing.
extension Engine {
    /// Queues a write; `settle` is called once, from another thread, when it is durable, in the log, or has failed.
    func write<Value>(
        author: String, isRelaxed: Bool, _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
        settle: @escaping @Sendable (Result<Receipt<Value>, any Error>) -> Void
    ) {
        let job = CommitQueue.Job(
            run: { [self] in
                do {
                    let (value, ticket) = try perform(author: author, body)
                    guard let ticket else {
                        settle(.success(Receipt(value: value, isDurable: true, engine: self)))
                        return nil
                    }
                    return CommitQueue.Written(ticket: ticket, isRelaxed: isRelaxed) { [self] failure in
                        if let failure { return settle(.failure(StoreError(failure))) }
                        settle(.success(Receipt(value: value, isDurable: !isRelaxed, engine: self)))
                    }
                } catch {
                    settle(.failure(StoreError.translated(error)))
                    guard log.hasPending else { return nil }
                    // A sequence was spent: its void is to be written.
                    let state = log.writerState
                    let ticket = CommitTicket(epoch: log.epoch, lsn: state.position.lastLSN)
                    return CommitQueue.Written(ticket: ticket, isRelaxed: false) { _ in }
                }
            },
            refuse: { settle(.failure(StoreError(.closed, "the store was closed before the write began"))) })
        queue.add(job)
    }

    /// Runs one transaction; nil for its ticket when it changed nothing.
    func perform<Value>(
        author: String, _ body: (WriteTransaction) throws -> Value
    ) throws -> (value: Value, ticket: CommitTicket?) {
        let start = environment.clock.monotonic()
        defer { operations.note(.write, nanoseconds: environment.clock.monotonic() &- start) }
        let open = try log.begin(author: author)
        return try live.withLock { live in
            let transaction: WriteTransaction
            do {
                live.holdBack()
                try live.followWriter()
                guard live.stops[open.header.origin] == nil else {
                    throw StoreError(
                        .unsupportedVersion,
                        "a newer version wrote to this store what this one cannot read; open it with the newer one")
                }
                transaction = try WriteTransaction(open, on: live, blobs: blobs, schemas: schemas)
            } catch {
                try? log.withdraw(open)
                throw error
            }
            live.begin()
            do {
                let value = try body(transaction)
                if let failure = transaction.failure { throw failure }
                if let damage = live.box.state.objects.base?.failure { throw Self.damaged(damage) }
                guard transaction.changes > 0 else {
                    transaction.end()
                    live.rollback()
                    try log.withdraw(open)
                    return (value, nil)
                }
                try transaction.finish()
                let header = open.appliedHeader
                let ticket = try log.finish(open)
                own.insert(header.origin, header.sequence)
                live.box.state.advance(to: header)
                live.commit()
                live.materialise()
                return (value, ticket)
            } catch {
                transaction.end()
                let damage = live.box.state.objects.base?.failure
                if live.box.state.isInTransaction { live.rollback() }
                try? transaction.inserted > 0 ? log.abandon(open) : log.withdraw(open)
                // What the closure says may be untrue: it saw less than there is.
                throw damage.map { Self.damaged($0) } ?? error
            }
        }
    }
}
