// Invariants
// * Lock order: `tail`, then `front`, then `durable`. Nobody waits for the writers' lock of the store while holding one of them.
// * `front.state` = `tail.state` + the events of what is pending. While this process does not hold the writers' lock nothing is pending.
// * `durable` is what may leave the process; it trails `tail.state` by at most the instant between a sync and its publication.

package import Storage
import Synchronization

/// The change log of one store: the append-only source of truth.
///
/// Synchronous: calls block for the disk, and, when they write, for other processes. Reads may come from any thread; of writers there is
/// one at a time, see ``begin(author:)``. A store's own threads sit above.
package final class EventLog: Sendable {
    /// How a log is opened.
    package enum Mode: Sendable {
        case readWrite
        /// Changes nothing, not even to recover.
        case readOnly
    }

    /// What the writer works on: the state with everything pending counted in.
    struct Front: Sendable {
        var state: LogState
        var pending: [PendingItem] = []
        var pendingSize = 0
        var clock: HybridClock
        var identity: StoreIdentity
        /// The branch of this store that transactions from elsewhere continued, so that it took another id: the rest of it is its own too.
        var returning: BranchRoot?
        /// This process holds the writers' lock of the store.
        var isLocked = false
        /// The writing thread is between having the lock and leaving a transaction open or pending; see ``EventLog/entered(_:)``.
        var isEntered = false
        /// A transaction is being written.
        var isOpen = false
        /// A group was taken from `pending` and is not durable yet.
        var isWriting = false
        /// Another process waits: write out what is pending, then hand the lock over.
        var mustYield = false
        /// The next write needs a new replica id, and taking one has not succeeded yet.
        var mustRenew = false
        /// How many commits have failed; see ``CommitTicket``.
        var epoch: UInt64 = 0
        var lastFailure: LogError?
        /// A transaction of the present id that is not void says what the former was; nil when that must be looked up.
        var hasNamedFormer: Bool?
        /// Why nothing can be written any more.
        var failure: LogError?
    }

    let layout: StoreLayout
    let environment: Environment
    let mode: Mode
    let sizes: LogSizes
    let shared: SharedState?
    let lock: WriterLock?
    let front: Mutex<Front>
    let tail: Mutex<LogTail>
    let durable: Mutex<LogState>
    let catalog: SegmentCatalog
    /// What opening had to mend.
    package let recovery: RecoveryReport

    package let dataset: DatasetID
    /// Tells this copy of the log from others: what a token's hint is good for.
    package let logID: Digest128

    init(
        layout: StoreLayout, environment: Environment, mode: Mode, identity: StoreIdentity, tail: LogTail,
        shared: SharedState?,
        lock: WriterLock?, recovery: RecoveryReport
    ) {
        self.layout = layout
        self.environment = environment
        self.mode = mode
        sizes = tail.sizes
        self.shared = shared
        self.lock = lock
        self.recovery = recovery
        dataset = identity.dataset
        logID = identity.log
        catalog = SegmentCatalog(layout: layout, fileSystem: environment.fileSystem, log: identity.log)
        var clock = HybridClock()
        for branch in tail.state.branches.branches { clock.observe(branch.appliedTimestamp) }
        front = Mutex(Front(state: tail.state, clock: clock, identity: identity))
        durable = Mutex(tail.state)
        self.tail = Mutex(tail)
    }

    /// The id under which this store writes now.
    package var replica: ReplicaID { front.withLock { $0.identity.replica } }

    /// The state up to which everything may be shown.
    package var durableState: LogState { durable.withLock { $0 } }

    /// The state with everything pending counted in: what the next transaction follows.
    package var writerState: LogState { front.withLock { $0.state } }

    /// How many commits have failed since the log was opened.
    package var epoch: UInt64 { front.withLock { $0.epoch } }

    /// Why the last failed commit failed.
    package var lastFailure: LogError? { front.withLock { $0.lastFailure } }

    /// Why the log takes no writes, or nil when it does.
    package var failure: LogError? { front.withLock { $0.failure } }
}
