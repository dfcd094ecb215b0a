import EventLog
import Projection
import Storage

// Where an origin has forked, or somebody knew of a fork, what comes may change what is meant by what is there.
extension LiveState {
    /// Reads on, under the names that follow from all that was received; everything anew when one of something applied is another.
    ///
    /// - Returns: the state of the log that it read to.
    @discardableResult
    func advanceForked() throws(LogError) -> LogState {
        reached = nil
        var history = try StoredHistory(log, after: followed)
        if try !keepsNames(before: history) {
            foldsAnew += 1
            notes?.records.note(.refolded)
            // What is being written is of the state that goes.
            settle()
            box.state = .tracking
            stopped = []
            followed = nil
            try names?.restart(log, history.state)
            try beginAtFloor(history.state)
            history = try StoredHistory(log, after: nil, at: history.state)
        }
        while let stored = try history.next() {
            let number = try history.number(of: stored)
            guard !stopped.contains(stored.name), stored.sequence > box.state.origins[stored.name]?.sequence ?? 0 else {
                if stored.sequence > names?.followed(on: number) ?? 0 {
                    names?.follow(try history.header(of: stored), on: number)
                }
                continue
            }
            let written = try history.decode(stored)
            guard !written.isUnreadable, let transaction = names?.name(written, on: number) else {
                stopped.insert(stored.name)
                names?.follow(written.header, on: number)
                continue
            }
            if let root = names?.root(of: stored.name) { box.state.register(root, as: stored.name) }
            box.state.apply(transaction)
            try relieve()
        }
        followed = history.token
        reached = history.state
        if names?.isTrivial == true { names = nil }
        return history.state
    }

    /// What names the transactions of the log now, with its position, to read them from the start; nil where each id is its own name.
    func namesNow() throws(LogError) -> (names: NameResolver, position: LogState)? {
        guard names != nil || log.durableState.branches.hasForks else { return nil }
        let position = try advanceForked()
        guard var names else { return nil }
        try names.restart(log, position)
        return (names, position)
    }

    /// Takes note of what was received, and of what comes next.
    ///
    /// - Returns: whether all that is applied has the names that it was applied under.
    private func keepsNames(before history: StoredHistory) throws(LogError) -> Bool {
        let earlier = names
        let state = history.state
        do throws(LogError) {
            if names?.adopt(state.branches) == true {
                let isAwaited = try names?.learn(log, state) == true
                let isFound = try names?.look(for: history, in: log) == true
                guard isAwaited || isFound else { return true }
            } else {
                names = try NameResolver(log, state)
            }
            return try agrees(with: earlier, at: state)
        } catch {
            // The names of what is applied are the earlier ones still.
            names = earlier
            throw error
        }
    }

    /// Reads again what is applied, as far as a fork may concern it, and compares the names.
    private func agrees(with earlier: NameResolver?, at state: LogState) throws(LogError) -> Bool {
        guard box.state.origins.contains(where: { $0.value.sequence > 0 }) else { return true }
        guard var fresh = names, let covered = fresh.coverage(of: box.state.origins) else { return false }
        try fresh.restart(log, state)
        var history = try StoredHistory(log, after: nil, at: state)
        while let stored = try history.next() {
            let number = try history.number(of: stored)
            guard stored.sequence <= covered[number] else { continue }
            fresh.follow(try history.header(of: stored), on: number)
            guard !fresh.isUnaffected(number) else { continue }
            guard fresh.agrees(with: earlier, about: try history.decode(stored), on: number) else { return false }
        }
        names = fresh
        return true
    }
}
