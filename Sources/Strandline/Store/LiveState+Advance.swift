import EventLog
import Projection
import Storage

// Reading on in a log in which every id is the name of one branch.
extension LiveState {
    /// Joins what the log has beyond the state; false where a writer has another name for something.
    func advance() throws(LogError) -> Bool {
        var history = try StoredHistory(log, after: followed)
        let branches = history.state.branches
        func isNamedHere(_ header: TransactionHeader) -> Bool {
            header.context.allSatisfy { !branches.branches(of: $0.origin).isEmpty }
        }
        var ahead = ReadAhead()
        while let stored = try history.next() {
            guard !stopped.contains(stored.name), stored.sequence > box.state.origins[stored.name]?.sequence ?? 0 else {
                continue
            }
            if stored.isStaged {
                try join(&ahead)
                switch try join(stored, &history, isNamedHere) {
                case .joined: break
                case .unreadable: stopped.insert(stored.name)
                case .namedElsewhere: return false
                }
                continue
            }
            let transaction = try history.decodeGroups(stored)
            guard isNamedHere(transaction.header) else { return false }
            if transaction.isUnreadable {
                stopped.insert(stored.name)
            } else {
                ahead.append(transaction)
                if ahead.isFull { try join(&ahead) }
            }
        }
        try join(&ahead)
        // What was written last may have failed since.
        try relieve()
        followed = history.token
        reached = history.state
        return true
    }

    /// Joins what was read ahead; each block of a run that holds something of it is read once.
    private func join(_ ahead: inout ReadAhead) throws(LogError) {
        let isPreloaded = ahead.updated.count >= Self.leastPreloaded
        if isPreloaded { box.state.preload(ahead.updated) }
        for transaction in ahead.transactions {
            box.state.apply(transaction)
            // What was preloaded stays until it is changed.
            if !isPreloaded { try relieve() }
        }
        ahead.removeAll()
        try relieve()
    }

    /// Fewer are read one by one, by way of the cache.
    private static let leastPreloaded = 1_000

    private enum Joining {
        case joined
        /// This version cannot read it.
        case unreadable
        /// Its writer has another name for something.
        case namedElsewhere
    }

    /// Joins a large transaction part by part, or nothing of it.
    private func join(
        _ stored: StoredTransaction, _ history: inout StoredHistory, _ isNamedHere: (TransactionHeader) -> Bool
    ) throws(LogError) -> Joining {
        begin(isOwn: false)
        do throws(LogError) {
            let header = try history.visitGroups(
                stored,
                { group, stamp in
                    box.state.join(group, stamp: stamp)
                    spill()
                })
            guard let header, isNamedHere(header) else {
                rollback()
                return header == nil ? .unreadable : .namedElsewhere
            }
            box.state.advance(to: header)
            commit()
            return .joined
        } catch {
            rollback()
            throw error
        }
    }
}
