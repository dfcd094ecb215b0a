import EventLog
import Projection
import Storage

extension NameResolver {
    /// Learns of all that a state of a log has received.
    init(_ log: EventLog, _ state: LogState) throws(LogError) {
        self.init(state.branches)
        try plant(log, state)
        _ = try learn(log, state)
        _ = try look(for: try StoredHistory(log, after: nil, at: state), in: log)
    }

    /// Forgets all writers but those below the floor, to follow them anew from there.
    mutating func restart(_ log: EventLog, _ state: LogState) throws(LogError) {
        forgetPasts()
        try plant(log, state)
    }

    /// Learns of what the baselines below the floor tell.
    private mutating func plant(_ log: EventLog, _ state: LogState) throws(LogError) {
        for file in try log.baselines(at: state)?.files ?? [] {
            for entry in try file.frame().floor { plant(entry) }
        }
    }

    /// Learns of what the log has received since.
    ///
    /// - Parameter state: has the branches of this resolver.
    /// - Returns: whether some writer that was followed had applied what came, before it came.
    mutating func learn(_ log: EventLog, _ state: LogState) throws(LogError) -> Bool {
        guard learnt < state.position.lastLSN else { return false }
        var isAwaited = false
        let start = learnt > 0 ? learnt : try log.lsn(beforeAll: firstForks)
        var reader = try LogReader(log, state: state, after: start)
        while let stored = try reader.next() {
            guard let number = state.branches.number(of: stored.branch) else { continue }
            if learn(stored, on: number) { isAwaited = true }
        }
        learnt = reader.lastLSN
        return isAwaited
    }

    /// Looks for what writers called by a name that no branch here has.
    ///
    /// - Parameter history: what they wrote.
    /// - Returns: whether it found what another writer, who was followed, had applied too.
    mutating func look(for history: StoredHistory, in log: EventLog) throws(LogError) -> Bool {
        var history = history
        var wanted: Set<Digest128> = []
        while let stored = try history.next() {
            for entry in try history.header(of: stored).context where isUnknown(entry) { wanted.insert(entry.chain) }
        }
        guard !wanted.isEmpty else { return false }
        var isAwaited = false
        var reader = try LogReader(log, state: history.state)
        while let stored = try reader.next() {
            guard wanted.contains(stored.chain), let number = history.state.branches.number(of: stored.branch) else { continue }
            if place(stored.chain, on: number) { isAwaited = true }
        }
        return isAwaited
    }
}
