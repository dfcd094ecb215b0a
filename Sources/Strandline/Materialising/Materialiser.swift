// Invariants
// * At most one job runs at a time; its outcome stays until it is taken.
// * A job works on values of its own. It takes no lock of the live state, so that whoever holds that may wait for it.

import EventLog
import Projection
import Storage
import Synchronization

/// Writes the projection's runs on a thread of its own.
final class Materialiser: Sendable {
    /// A state to write.
    struct Cut: Sendable {
        let state: FoldState
        let purpose: Purpose
    }

    enum Purpose: Sendable {
        /// For everybody: all of the state is durable at the token, and no transaction is in progress. The generation is that of the
        /// manifest that the state was read from, 0 for none; `names` is what named it, where an origin has forked.
        case publish(HistoryToken, names: NameResolver?, generation: UInt64, mergesAll: Bool)
        /// For a transaction in progress that is too large for memory.
        case spill
    }

    enum Outcome: Sendable {
        /// Everything in the cut is in these runs, and the manifest of this generation says so.
        case published(RunSet, of: Cut, generation: UInt64)
        /// Everything in the cut is in these runs, which go with the last one who uses them.
        case spilled(RunSet, of: Cut)
        /// Another process has published meanwhile.
        case outdated
        /// Another process is writing.
        case busy
        case failed(StorageError)
    }

    private struct State {
        var isRunning = false
        var outcome: Outcome?
    }

    let directory: ProjectionDirectory
    private let state = Mutex(State())
    private let ended = WakeSignal()

    private let operations: OperationClock?

    init(_ directory: ProjectionDirectory, _ operations: OperationClock? = nil) {
        self.directory = directory
        self.operations = operations
    }

    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Whether no job runs and no outcome waits to be taken.
    var isIdle: Bool { state.withLock { !$0.isRunning && $0.outcome == nil } }

    /// Begins to write; where no thread can be had, it is done when this returns.
    func start(_ cut: Cut) {
        state.withLock { $0.isRunning = true }
        let job: @Sendable () -> Void = { [self] in
            let outcome = operations?.measure(.materialise) { write(cut) } ?? write(cut)
            state.withLock {
                $0.isRunning = false
                $0.outcome = outcome
            }
            ended.advance()
        }
        do throws(StorageError) { try WorkerThreads.run(job) } catch { job() }
    }

    /// What the last job came to, once.
    func take() -> Outcome? {
        state.withLock { state in
            defer { state.outcome = nil }
            return state.outcome
        }
    }

    /// Waits until no job runs.
    func wait() {
        while true {
            let ticket = ended.generation
            guard isRunning else { return }
            ended.wait(past: ticket)
        }
    }

    private func write(_ cut: Cut) -> Outcome {
        do {
            guard try directory.tryLock() else { return .busy }
            defer { directory.unlock() }
            switch cut.purpose {
            case .spill:
                return .spilled(try directory.merge(try directory.flush(cut.state), cut.state.schema), of: cut)
            case .publish(let token, let names, let generation, let mergesAll):
                guard try directory.generation() ?? 0 == generation else { return .outdated }
                let runs = try publish(cut, token, names, generation: generation + 1, mergesAll: mergesAll)
                return .published(runs, of: cut, generation: generation + 1)
            }
        } catch {
            return .failed(StorageError.of(error))
        }
    }

    private func publish(
        _ cut: Cut, _ token: HistoryToken, _ names: NameResolver?, generation: UInt64, mergesAll: Bool
    ) throws -> RunSet {
        let below = cut.state.objects.base as? RunSet
        let isWhole = try below.map { runs throws(StorageError) in try directory.hasFiles(of: runs) } ?? true
        let runs = try directory.merge(try directory.flush(cut.state), cut.state.schema, all: mergesAll || !isWhole)
        try directory.publish(runs, of: cut.state, named: names, token: token, generation: generation)
        // What another process left unfinished, and what nobody needs any more: who has it open may go on reading.
        try? directory.removeLeftovers(keeping: runs)
        return runs
    }
}
