import EventLog

// What follows for the lists when something happens.
extension BlobTransfers.State {
    /// Has every connection that may bring a blob look at it.
    mutating func append(_ id: BlobID) {
        // Those that nobody brought are named ever again.
        if order.count > 4 * wanted.count + 4_096 {
            order = wanted.keys.sorted()
            for connection in cursors.keys.sorted() { cursors[connection] = 0 }
        }
        order.append(id)
    }

    /// Wants a blob no longer.
    mutating func forget(_ id: BlobID) -> BlobTransfer? {
        if wanted.removeValue(forKey: id)?.isDemanded ?? false { urgent.removeAll { $0 == id } }
        lacking[id] = nil
        let transfer = transfers.removeValue(forKey: id)
        if wanted.isEmpty {
            order = []
            for connection in cursors.keys.sorted() { cursors[connection] = 0 }
        }
        return transfer
    }

    /// A connection is over: what nobody brings any more.
    mutating func end(_ connection: Int) -> [ArrivingBlob] {
        cursors[connection] = nil
        connections[connection] = nil
        for id in lacking.keys.sorted() {
            lacking[id]?.remove(connection)
            if lacking[id]?.isEmpty ?? false { lacking[id] = nil }
        }
        let idle = transfers.keys.sorted().compactMap { release($0, by: connection) }
        if connections.isEmpty { order = wanted.keys.sorted() }
        return idle
    }

    /// Takes back what a connection was to bring, so that others are asked for it; the blob, when nobody brings any of it.
    mutating func release(_ id: BlobID, by connection: Int) -> ArrivingBlob? {
        guard transfers[id]?.release(connection) ?? false else { return nil }
        if connections.contains(where: { $0.key != connection && $0.value.policy == .eager }) { append(id) }
        guard transfers[id]?.isIdle ?? false else { return nil }
        return transfers.removeValue(forKey: id)?.blob
    }

    /// Takes note of what a peer says it has.
    mutating func note(_ what: BlobNews, of peer: ReplicaID) {
        switch what {
        case .here(let ids):
            news[peer, default: ([], [])].here.formUnion(ids)
            news[peer]?.gone.subtract(ids)
        case .gone(let ids):
            news[peer, default: ([], [])].gone.formUnion(ids)
            news[peer]?.here.subtract(ids)
        case .kept: break
        }
    }

    /// Gives a blob its place among those that are asked for, or takes it out.
    mutating func sortUrgent(_ id: BlobID) {
        urgent = (urgent.filter { $0 != id } + [id]).filter { wanted[$0]?.isDemanded ?? false }.sorted { a, b in
            let (first, second) = (wanted[a]?.priority ?? 0, wanted[b]?.priority ?? 0)
            return first == second ? earliest(a) < earliest(b) : first > second
        }
    }

    /// Who asked for a blob first; numbers ascend.
    private func earliest(_ id: BlobID) -> Int { wanted[id]?.priorities.keys.min() ?? .max }

    /// Those who wait for a blob.
    mutating func takeDemands(of id: BlobID) -> [BlobDemand] {
        (wanted[id]?.priorities.keys.sorted() ?? []).compactMap { demands.removeValue(forKey: $0) }
    }
}
