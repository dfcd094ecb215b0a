// Invariants
// * Two threads share two roles: one runs closures, one makes what they wrote durable. A role is held by one thread at a time,
//   and whoever has nothing to run takes the other role at once, so that a lone commit needs no second thread.
// * `state.jobs` is in order of arrival, and closures run in that order. `state.written` are transactions that wait for their
//   group, in order of LSN.
// * Every job's `settle` is called exactly once.
// * Each thread sleeps on a signal of its own, and stands in `state.sleepers` until somebody, who wakes it, takes it out. So no signal
//   has two waiters: glibc before 2.41 may lose one of several (its bug 25847).
// * While `isReturning`, a thread that has settled a single commit is about to look for work: nobody else is woken for a job.
// * While `holdsLock`, a thread that sleeps wakes after `restMilliseconds` without work and gives the writers' lock back.

import EventLog
import Storage
import Synchronization

/// Runs the writes of a store one after the other, and groups their commits.
final class CommitQueue: Sendable {
    /// A write that waits for its turn.
    struct Job: Sendable {
        /// Runs the closure and leaves its transaction with the log; nil when nothing is to be waited for, and all is settled.
        let run: @Sendable () -> Written?
        /// The store was closed before its turn.
        let refuse: @Sendable () -> Void
    }

    /// A transaction that the log has and that may not be durable yet.
    struct Written: Sendable {
        let ticket: CommitTicket
        /// Settles as soon as the transaction is in the log.
        let isRelaxed: Bool
        /// Called once; with the log's error when the transaction did not make it.
        let settle: @Sendable (LogError?) -> Void
    }

    fileprivate struct State {
        var jobs: [Job] = []
        var taken = 0
        var written: [Written] = []
        var isRunning = false
        /// The thread inside a closure.
        var runner: ThreadIdentity?
        var isFlushing = false
        var isClosed = false
        /// How many of `written` are relaxed and not in the log yet.
        var relaxed = 0
        /// A thread is about to look for work.
        var isReturning = false
        /// Callers of `exclusively` that wait; they go before the next job.
        var waiting = 0
        /// Threads that sleep, by number.
        var sleepers: [Int] = []
        var threads = 0
        /// The last flush may have kept the writers' lock of the store.
        var holdsLock = false
        /// A thread sleeps that will give the lock back.
        var isWatched = false
    }

    fileprivate enum Role {
        case run(Job)
        case flush
        case wait
        /// Waits, and gives the writers' lock back when nothing comes.
        case watch
        case end
    }

    /// For how long an idle store keeps the lock of its writers: taking it anew costs as much as a tenth of a commit.
    private static let restMilliseconds = 5
    /// After so long a caller of ``exclusively(_:)`` looks again, whoever forgot to wake it.
    private static let patienceMilliseconds = 20

    private let log: EventLog
    private let state = Mutex(State())
    private let signals = [WakeSignal(), WakeSignal()]
    /// For callers of ``exclusively(_:)``; all of them look each time.
    private let turns = WakeSignal()
    private let ended = WakeSignal()
    /// Called when a commit failed, before those who wait for it hear of it.
    private let onFailure: @Sendable () -> Void

    private let figures: FlushFigures

    init(_ log: EventLog, _ figures: FlushFigures, onFailure: @escaping @Sendable () -> Void) {
        self.log = log
        self.figures = figures
        self.onFailure = onFailure
    }

    /// Starts the two threads; they end with ``close()`` or ``end()``.
    func start() throws(StorageError) {
        for number in signals.indices {
            state.withLock { $0.threads += 1 }
            do throws(StorageError) {
                try WorkerThreads.run { [self] in work(number) }
            } catch {
                state.withLock { $0.threads -= 1 }
                end()
                throw error
            }
        }
    }

    /// Whether the caller is inside a closure of this queue.
    var isCurrent: Bool { state.withLock { $0.runner } == ThreadIdentity.current }

    func add(_ job: Job) {
        let (isClosed, isIdle) = state.withLock { state -> (Bool, Bool) in
            if !state.isClosed { state.jobs.append(job) }
            return (state.isClosed, !state.isRunning && !state.isReturning)
        }
        if isClosed { return job.refuse() }
        if isIdle { wakeOne() }
    }

    /// One thread is enough for one job.
    private func wakeOne() {
        if let sleeper = state.withLock({ $0.sleepers.popLast() }) { signals[sleeper].advance() }
    }

    private func wakeAll() {
        let sleepers = state.withLock { state in
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in sleepers { signals[sleeper].advance() }
        turns.advance()
    }

    /// Refuses what has not begun, finishes what has, and ends the threads.
    func close() {
        let refused = state.withLock { state -> [Job] in
            state.isClosed = true
            defer {
                state.jobs = []
                state.taken = 0
            }
            return Array(state.jobs.dropFirst(state.taken))
        }
        for job in refused { job.refuse() }
        wakeAll()
        while true {
            let ticket = ended.generation
            if state.withLock({ $0.threads == 0 }) { return }
            ended.wait(past: ticket)
        }
    }

    /// Lets the threads end when nothing is left to do, without waiting for them; nothing may be added.
    func end() {
        state.withLock { $0.isClosed = true }
        wakeAll()
    }

    /// Runs `body` on the calling thread, between two closures: for what writes to the log in another way.
    func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
        state.withLock { $0.waiting += 1 }
        while true {
            let ticket = turns.generation
            let isTurn = state.withLock { state -> Bool in
                guard !state.isRunning else { return false }
                state.isRunning = true
                state.waiting -= 1
                return true
            }
            if isTurn { break }
            turns.wait(past: ticket, milliseconds: Self.patienceMilliseconds)
        }
        defer {
            state.withLock { $0.isRunning = false }
            wakeAll()
        }
        return try body()
    }

    private func work(_ number: Int) {
        var pause = BriefPause()
        while true {
            let ticket = signals[number].generation
            switch state.withLock({ $0.nextRole(of: number) }) {
            case .run(let job): run(job)
            case .flush: flush()
            case .wait: pause.wait(for: signals[number], past: ticket)
            case .watch: watch(number, past: ticket, &pause)
            case .end:
                let rests = state.withLock { state -> Bool in
                    state.threads -= 1
                    return state.threads == 0 && state.holdsLock
                }
                if rests { try? log.rest() }
                ended.advance()
                wakeAll()
                return
            }
        }
    }

    private func watch(_ number: Int, past ticket: UInt64, _ pause: inout BriefPause) {
        let isWoken = pause.wait(for: signals[number], past: ticket, milliseconds: Self.restMilliseconds)
        let rests = state.withLock { state -> Bool in
            state.sleepers.removeAll { $0 == number }
            state.isWatched = false
            guard !isWoken, state.isIdle else { return false }
            state.holdsLock = false
            return true
        }
        // A write that begins now takes the lock again, or keeps it from being given back.
        if rests { try? log.rest() }
    }

    private func run(_ job: Job) {
        let written = job.run()
        let (hasWork, isAwaited) = state.withLock { state -> (Bool, Bool) in
            state.isRunning = false
            state.runner = nil
            if let written {
                state.written.append(written)
                if written.isRelaxed { state.relaxed += 1 }
            }
            // This thread runs the next closure; the other one makes this one durable meanwhile.
            let hasWork = !state.isFlushing && !state.written.isEmpty && state.taken < state.jobs.count
            return (hasWork, state.waiting > 0)
        }
        if hasWork { wakeOne() }
        if isAwaited { turns.advance() }
    }

    private func flush() {
        let epoch = log.epoch
        do throws(LogError) {
            // A group at a time: whoever is in it need not wait for those that come meanwhile.
            let group = try figures.measure { () throws(LogError) in
                try log.flushGroup { [self] ticket in settle(upTo: ticket, relaxed: true) }
            }
            settle(upTo: group.reached, relaxed: false)
        } catch {
            onFailure()
            fail(error, since: epoch)
        }
        log.yieldIfContended(keepingLock: true)
        let (hasMore, isClosed) = state.withLock { state -> (Bool, Bool) in
            state.isFlushing = false
            state.holdsLock = true
            return (!state.written.isEmpty, state.isClosed)
        }
        if isClosed { wakeAll() } else if hasMore { wakeOne() }
    }

    /// Settles what is in the log, or durable, up to a ticket; what a failure took away fails.
    private func settle(upTo reached: CommitTicket, relaxed: Bool) {
        let (done, lost) = state.withLock { state -> ([Written], [Written]) in
            if relaxed, state.relaxed == 0 { return ([], []) }
            var done: [Written] = []
            var lost: [Written] = []
            state.written.removeAll { written in
                if written.ticket.epoch < reached.epoch {
                    lost.append(written)
                } else if written.ticket.lsn <= reached.lsn, !relaxed || written.isRelaxed {
                    done.append(written)
                } else {
                    return false
                }
                return true
            }
            state.relaxed = state.written.count { $0.isRelaxed }
            if !relaxed, done.count + lost.count == 1 { state.isReturning = true }
            return (done, lost)
        }
        for written in done { written.settle(nil) }
        for written in lost { written.settle(log.lastFailure ?? LogError(.outcomeUnknown, "a commit failed before this one")) }
    }

    private func fail(_ error: LogError, since epoch: UInt64) {
        let current = log.epoch
        let (lost, open) = state.withLock { state -> ([Written], [Written]) in
            let lost = state.written.filter { $0.ticket.epoch < current }
            // A failure that took nothing away would only come again, and again: who waits is told that nothing is known.
            let open = current == epoch ? state.written.filter { $0.ticket.epoch == current } : []
            state.written.removeAll { $0.ticket.epoch < current || current == epoch }
            state.relaxed = state.written.count { $0.isRelaxed }
            return (lost, open)
        }
        for written in lost { written.settle(error) }
        for written in open { written.settle(LogError(.outcomeUnknown, "the commit could not be finished: \(error.message)")) }
    }
}

extension CommitQueue.State {
    /// Nothing is being done, and nothing waits to be.
    fileprivate var isIdle: Bool { taken == jobs.count && written.isEmpty && !isRunning && !isFlushing }

    fileprivate mutating func nextRole(of number: Int) -> CommitQueue.Role {
        isReturning = false
        // Who woke by itself may be here still; twice, it would be woken for two.
        sleepers.removeAll { $0 == number }
        if !isRunning, waiting == 0, taken < jobs.count {
            isRunning = true
            runner = .current
            taken += 1
            let job = jobs[taken - 1]
            // Jobs are dropped in large steps, so that taking one costs the same however many wait.
            if taken == jobs.count || taken >= 256 {
                jobs.removeFirst(taken)
                taken = 0
            }
            return .run(job)
        }
        if !isFlushing, !written.isEmpty {
            isFlushing = true
            return .flush
        }
        if isClosed, jobs.isEmpty, written.isEmpty, !isRunning, !isFlushing, waiting == 0 { return .end }
        sleepers.append(number)
        guard holdsLock, !isWatched else { return .wait }
        isWatched = true
        return .watch
    }
}
