import EventLog
import Projection

extension Engine {
    /// The state that the history gives which a token covers.
    ///
    /// - Throws: `notYetReceived`, `forked`.
    func pastState(at token: HistoryToken) throws -> FoldState {
        let (now, position, names) = try named()
        try checkArrival(of: token, now, position, names)
        let vector = try covered(by: token, now, position, names)
        if vector == now.vector { return now }
        return try past.state(at: vector, of: log, position, names)
    }

    /// A state that was read and can be read no more, from the log.
    ///
    /// - Returns: nil when the log no longer has it: a commit failed since.
    func again(_ damaged: FoldState) throws -> FoldState? {
        try checkReadable()
        let (now, position, names) = try named()
        let found = now.vector == damaged.vector ? now : try past.state(at: damaged.vector, of: log, position, names)
        return found.positions == damaged.positions ? found : nil
    }

    /// How far a token covers what this store has applied, by the names that the branches have at `position`.
    func covered(
        by token: HistoryToken, _ now: FoldState, _ position: LogState, _ names: NameResolver
    ) throws -> [ReplicaID: UInt64] {
        var beyond = try LogReader(log, after: token, at: position)
        var covered = now.vector
        guard !names.isPlain else {
            for (name, sequence) in covered {
                let wanted = token.vector.sequence(of: name)
                covered[name] = wanted == 0 ? nil : min(sequence, wanted)
            }
            return covered
        }
        while let stored = try beyond.next() {
            if let held = covered[stored.name], held >= stored.sequence { covered[stored.name] = stored.sequence - 1 }
        }
        return covered.filter { $0.value > 0 }
    }

    /// - Throws: `notYetReceived` when the token covers what is not applied here.
    private func checkArrival(
        of token: HistoryToken, _ now: FoldState, _ position: LogState, _ names: NameResolver
    ) throws {
        for entry in token.vector.entries {
            let known = now.vector[entry.origin] ?? 0
            guard known < entry.sequence else { continue }
            // What it was called when the token was given may be another branch now.
            let place = names.place(of: entry.origin, entry.sequence, entry.chain)
            if let place, position.branches.branches[place].applied.sequence >= entry.sequence { continue }
            throw StoreError(
                .notYetReceived,
                "the token covers transaction \(entry.sequence) of \(entry.origin), and this store has \(known); "
                    + "sync with a replica that has it")
        }
    }
}
