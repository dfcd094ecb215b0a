// Invariants
// * `recent` are states of the past, the one used last at the end. Each is the fold of its vector under the names that followed from what was learnt then.
// * One state is folded at a time, so that memory is bounded however many are asked for. The live state's lock is not held.
// * Runs go with the last state that has them, the directory with this object or with `close`. As long as there is one, its lock is
//   held; so who opens the store can tell what a process left that was killed.

import EventLog
import Projection
import Storage
import Synchronization

/// Folds the log as far as a token covers it, in bounded memory, and keeps what was asked for last.
final class PastStates: Sendable {
    fileprivate struct Kept {
        let epoch: UInt64
        /// Of the log, below which nothing can be read.
        let floor: Digest128?
        /// The LSN up to which names were learnt of; 0 where each id is its own name.
        let learnt: UInt64
        let vector: [ReplicaID: UInt64]
        let state: FoldState
    }

    private struct State {
        var recent: [Kept] = []
        var applied: UInt64 = 0
        /// Where runs are written; nil as long as none had to be.
        var directory: ProjectionDirectory?
    }

    private static let mostKept = 4
    private static let prefix = "past-"
    /// Bytes of blocks of the past in memory.
    private static let cacheBytes = 16 << 20

    private let layout: StoreLayout
    private let environment: Environment
    private let sizes: ProjectionSizes
    private let state = Mutex(State())

    init(_ layout: StoreLayout, in environment: Environment, _ sizes: ProjectionSizes) {
        self.layout = layout
        self.environment = environment
        self.sizes = sizes
    }

    deinit { close() }

    /// How many transactions were applied to states of the past so far.
    var applied: UInt64 { state.withLock { $0.applied } }

    /// Forgets all states, and removes what was written for them.
    func close() {
        state.withLock { state in
            state.recent = []
            if let directory = state.directory {
                directory.unlock()
                try? environment.fileSystem.removeTree(directory.path)
            }
            state.directory = nil
        }
    }

    /// Removes what processes left that ended while they looked at the past.
    func removeLeftovers() {
        let names = (try? environment.fileSystem.list(layout.temporary)) ?? []
        for name in names where name.hasPrefix(Self.prefix) {
            let left = ProjectionDirectory(Path.join(layout.temporary, name), in: environment, cacheBytes: 0)
            guard (try? left.tryLock()) == true else { continue }
            left.unlock()
            try? environment.fileSystem.removeTree(left.path)
        }
    }

    /// The state at a vector by branch names.
    ///
    /// - Parameters:
    ///   - position: a durable state of the log, that has all of it.
    ///   - names: those of the position.
    func state(
        at vector: [ReplicaID: UInt64], of log: EventLog, _ position: LogState, _ names: NameResolver
    ) throws -> FoldState {
        let epoch = log.epoch
        let floor = try log.baselines(at: position)?.floor.identity
        return try state.withLock { state in
            state.recent.removeAll { $0.floor != floor }
            state.recent.removeAll { $0.epoch != epoch || $0.learnt != names.learnt || $0.state.objects.base?.failure != nil }
            let nearest = state.recent.indices.filter { state.recent[$0].isBefore(vector) }
                .max { state.recent[$0].count < state.recent[$1].count }
            var start: FoldState?
            if let nearest {
                let kept = state.recent.remove(at: nearest)
                state.recent.append(kept)
                if kept.vector == vector { return kept.state }
                start = kept.state
            }
            let folded = try fold(log, position, names, to: vector, from: start, &state)
            state.recent.append(Kept(epoch: epoch, floor: floor, learnt: names.learnt, vector: vector, state: folded))
            if state.recent.count > Self.mostKept { state.recent.removeFirst() }
            return folded
        }
    }

    private func fold(
        _ log: EventLog, _ position: LogState, _ names: NameResolver, to vector: [ReplicaID: UInt64],
        from start: FoldState?, _ own: inout State
    ) throws -> FoldState {
        var state = try start ?? atFloor(of: log, position, &own)
        var history = try NamedHistory(log, at: position, names, after: start?.token(in: log.dataset))
        var missing = vector.count { state.origins[$0.key]?.sequence ?? 0 < $0.value }
        var stopped: Set<ReplicaID> = []
        while missing > 0, let stored = try history.next() {
            let end = vector[stored.name] ?? 0
            guard stored.sequence <= end, stored.sequence > state.origins[stored.name]?.sequence ?? 0,
                !stopped.contains(stored.name)
            else {
                try history.pass(stored)
                continue
            }
            let isApplied: Bool
            if stored.isStaged, names.isPlain {
                isApplied = try join(stored, &history, to: &state, &own)
            } else {
                let transaction = try history.transaction(stored)
                isApplied = !transaction.isUnreadable
                if isApplied {
                    if let root = names.root(of: stored.name) { state.register(root, as: stored.name) }
                    state.apply(transaction)
                }
            }
            if isApplied {
                own.applied += 1
                if state.objects.topBytes > sizes.memory { write(&state, &own) }
            } else {
                stopped.insert(stored.name)
            }
            if stored.sequence == end || !isApplied { missing -= 1 }
        }
        if state.objects.topBytes > sizes.rest { write(&state, &own) }
        if let failure = state.objects.base?.failure { throw failure }
        return state
    }

    /// What stands for the history below the floor; an empty state as long as all of it is in the log.
    private func atFloor(of log: EventLog, _ position: LogState, _ own: inout State) throws -> FoldState {
        var state = FoldState.tracking
        for file in try log.baselines(at: position)?.files ?? [] {
            try state.join(file) { state in
                if state.objects.topBytes > sizes.memory { write(&state, &own) }
            }
        }
        return state
    }

    /// Joins a large transaction part by part.
    ///
    /// - Returns: false, with nothing of it joined, when this version cannot read it.
    private func join(
        _ stored: StoredTransaction, _ history: inout NamedHistory, to state: inout FoldState, _ own: inout State
    ) throws -> Bool {
        state.begin()
        do {
            let header = try history.visit(stored) { change, stamp in
                state.apply(change, stamp: stamp)
                if state.objects.topBytes > sizes.memory { write(&state, &own) }
            }
            guard let header else {
                state.rollback()
                return false
            }
            state.advance(to: header)
            state.commit()
            return true
        } catch {
            state.rollback()
            throw error
        }
    }

    /// Puts what is in memory into runs; where they cannot be written, it stays in memory.
    private func write(_ state: inout FoldState, _ own: inout State) {
        do {
            let directory = try own.directory ?? made()
            own.directory = directory
            // What a transaction in progress may still make irregular stays on the list.
            if !state.isInTransaction { state.pruneIrregular() }
            state.freeze()
            let runs = try directory.merge(try directory.flush(state.view()), state.schema)
            state.replaceBase(runs, withFrozen: state.objects.frozenCount)
        } catch {
            // A store that may only be read, or a full disk.
            own.directory?.unlock()
            own.directory = nil
        }
    }

    private func made() throws(StorageError) -> ProjectionDirectory {
        let path = Path.join(layout.temporary, Self.prefix + Digest128.hex(environment.random.next()))
        let directory = ProjectionDirectory(path, in: environment, cacheBytes: min(sizes.cache, Self.cacheBytes))
        _ = try directory.tryLock()
        return directory
    }
}

extension PastStates.Kept {
    var count: UInt64 { vector.values.reduce(0, +) }

    /// Whether it has nothing that a vector does not have.
    func isBefore(_ other: [ReplicaID: UInt64]) -> Bool { vector.allSatisfy { $0.value <= other[$0.key] ?? 0 } }
}
