import EventLog
import Projection

extension Engine {
    /// The conflicts that have a part which a token does not cover.
    ///
    /// Reads the log twice, first to see which objects several have changed; memory is bounded by what happened to those.
    func conflicts(since token: HistoryToken?) throws -> [Conflict] {
        try check(token)
        return try StoreError.wrap {
            let (now, position, names) = try named()
            guard now.vector.count > 1 else { return [] }
            let covered = if let token { try covered(by: token, now, position, names) } else { [ReplicaID: UInt64]() }

            var candidates = ConflictCandidates()
            var first = try NamedHistory(log, at: position, names)
            while let stored = try first.next() {
                guard stored.sequence <= now.vector(of: stored.name) else {
                    try first.pass(stored)
                    continue
                }
                let transaction = try first.transaction(stored)
                candidates.note(transaction, beyond: stored.sequence > covered[stored.name] ?? 0)
            }
            guard !candidates.isEmpty else { return [] }

            var finder = ConflictFinder()
            var second = try NamedHistory(log, at: position, names, followsAll: true)
            while let stored = try second.next() {
                guard stored.sequence <= now.vector(of: stored.name) else {
                    try second.pass(stored)
                    continue
                }
                let transaction = try second.transaction(stored)
                guard transaction.changes.contains(where: { $0.object.map(candidates.contains) ?? false }) else { continue }
                finder.note(transaction, knowing: try second.knowledge(of: stored)) { candidates.contains($0) }
            }
            return finder.conflicts(since: covered)
        }
    }

    /// An applied transaction, with every id by its name; nil when there is none.
    func transaction(_ sequence: UInt64, of origin: ReplicaID) throws -> Transaction? {
        try StoreError.wrap {
            let (now, position, names) = try named()
            guard sequence > 0, sequence <= now.vector(of: origin) else { return nil }
            if let floor = try log.floorToken(at: position), sequence <= floor.vector.sequence(of: origin) {
                throw StoreError(
                    .historyExpired,
                    "transaction \(sequence) of \(origin) is below the floor of this store: its history was trimmed")
            }
            guard !names.isPlain else {
                let start = try log.lsn(beforeAll: [(origin, sequence)])
                var history = try StoredHistory(log, at: position, from: start)
                while let stored = try history.next() {
                    if stored.sequence == sequence, stored.name == origin { return try history.decode(stored) }
                }
                return nil
            }
            var history = try NamedHistory(log, at: position, names)
            while let stored = try history.next() {
                if stored.sequence == sequence, stored.name == origin { return try history.transaction(stored) }
                try history.pass(stored)
            }
            return nil
        }
    }
}

extension FoldState {
    /// The last applied transaction of a branch, 0 for none.
    fileprivate func vector(of name: ReplicaID) -> UInt64 { origins[name]?.sequence ?? 0 }
}
