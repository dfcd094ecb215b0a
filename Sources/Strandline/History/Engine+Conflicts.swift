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
            try eachChange(now, position, names) { change, header, _ in
                candidates.note(change, by: header.origin, beyond: header.sequence > covered[header.origin] ?? 0)
            }
            var finder = ConflictFinder(now.keyGroups())
            guard !candidates.isEmpty || finder.hasGroups else { return [] }
            try eachChange(now, position, names, followsAll: true) { change, header, knowledge in
                guard let object = change.object, candidates.contains(object) || finder.isMember(object) else { return }
                finder.note(change, of: header, knowing: knowledge)
            }
            return finder.conflicts(since: covered)
        }
    }

    /// Calls with each applied change, in the order of the log; where no origin has forked, memory holds a part of a transaction.
    ///
    /// - Parameter followsAll: whether what writers knew is wanted.
    private func eachChange(
        _ now: FoldState, _ position: LogState, _ names: NameResolver, followsAll: Bool = false,
        _ body: (Change, TransactionHeader, Knowledge) -> Void
    ) throws {
        var history = try NamedHistory(log, at: position, names, followsAll: followsAll)
        while let stored = try history.next() {
            guard stored.sequence <= now.vector(of: stored.name) else {
                try history.pass(stored)
                continue
            }
            guard names.isPlain else {
                let transaction = try history.transaction(stored)
                let knowledge = try history.knowledge(of: stored)
                for change in transaction.changes { body(change, transaction.header, knowledge) }
                continue
            }
            let header = try history.header(of: stored)
            try history.pass(stored)
            let knowledge = try history.knowledge(of: stored)
            _ = try history.visit(stored) { change, _ in body(change, header, knowledge) }
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

extension Engine {
    /// What happened to objects since a transaction.
    ///
    /// Another replica's transaction may have come before one that it followed; so with several all of the log is read.
    func undoChains(since sequence: UInt64, of origin: ReplicaID, _ objects: Set<ObjectID>) throws -> UndoChains {
        try StoreError.wrap {
            let (now, position, names) = try named()
            var chains = UndoChains(of: objects)
            guard !names.isPlain else {
                let start = now.vector.count == 1 ? try log.lsn(beforeAll: [(origin, sequence)]) : 0
                var history = try StoredHistory(log, at: position, from: start)
                while let stored = try history.next() {
                    guard stored.sequence <= now.vector(of: stored.name) else { continue }
                    if let header = try history.visit(stored, { chains.note($0, stamp: $1) }) { chains.note(header) }
                }
                return chains
            }
            var history = try NamedHistory(log, at: position, names)
            while let stored = try history.next() {
                guard stored.sequence <= now.vector(of: stored.name) else {
                    try history.pass(stored)
                    continue
                }
                let transaction = try history.transaction(stored)
                for change in transaction.changes { chains.note(change, stamp: transaction.header.stamp) }
                chains.note(transaction.header)
            }
            return chains
        }
    }
}

extension FoldState {
    /// The last applied transaction of a branch, 0 for none.
    fileprivate func vector(of name: ReplicaID) -> UInt64 { origins[name]?.sequence ?? 0 }
}
