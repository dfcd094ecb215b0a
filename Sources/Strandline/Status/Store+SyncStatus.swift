import EventLog
import Storage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Store {
    /// How the store and its peers stand: those that this process talks to, and those that were ever heard of.
    ///
    /// It looks at no objects and few bytes of the log, so that it may be asked every second.
    ///
    /// - Throws: `corrupt` when the list of peers is damaged, `closed`.
    public func syncStatus() throws -> SyncStatus {
        try engine.checkReadable()
        return try engine.syncStatus()
    }
}

extension Engine {
    fileprivate func syncStatus() throws -> SyncStatus {
        try StoreError.wrap {
            try log.refresh()
            let state = log.durableState
            let token = token(at: state)
            let noted = try log.peers.filter { if case .peer = $0.kind { true } else { false } }
            var board = replicator.status.all
            var peers: [PeerStatus] = []
            for record in noted {
                guard case .peer(let replica) = record.kind else { continue }
                // By its id, wherever it is now; else by where it was.
                let name = board.first { $0.value.replica == replica }?.key ?? record.name
                let entry = board.removeValue(forKey: name)
                peers.append(try status(name, replica, entry, record, token, state))
            }
            for (name, entry) in board { peers.append(try status(name, entry.replica, entry, nil, token, state)) }
            return SyncStatus(
                peers.sorted { ($0.name, $0.replica?.description ?? "") < ($1.name, $1.replica?.description ?? "") })
        }
    }

    private func status(
        _ name: String, _ replica: ReplicaID?, _ entry: StatusBoard.Entry?, _ record: PeerRecord?, _ token: HistoryToken,
        _ state: LogState
    ) throws(LogError) -> PeerStatus {
        let now = environment.clock.now()
        // Who never acknowledged anything lacks everything, as far as is known.
        let lag = token.vector.transactions(beyond: record?.acknowledged.vector ?? VersionVector())
        let success = [entry?.lastSuccess, record?.lastContact].compactMap(\.self).max()
        let isActive = entry.map { $0.phase == .syncing } ?? false
        let since = lag > 0 && !isActive ? try record.flatMap { record throws(LogError) in try waiting(record, state) } : nil
        let isStalled = since.map { now > $0 && Double(now - $0) / 1_000 >= PeerStatus.patience } ?? false
        return PeerStatus(
            name: name, replica: replica, phase: entry?.phase ?? .away, acknowledged: record?.acknowledged, lag: lag,
            lagBytes: try bytes(of: lag, state), lastSuccess: success.map(Self.date), lastError: entry?.lastError,
            nextAttempt: entry?.nextAttempt.map(Self.date), stalledSince: isStalled ? since.map(Self.date) : nil,
            hasLapsed: record?.hasLapsed(now: now) ?? false)
    }

    /// Since when a peer could have acknowledged more: the later of when it was last heard of, and when the first of what it lacks was
    /// written.
    private func waiting(_ record: PeerRecord, _ state: LogState) throws(LogError) -> UInt64? {
        do throws(LogError) {
            var reader = try LogReader(log, after: record.acknowledged, at: state)
            guard let first = try reader.next() else { return nil }
            return max(record.lastContact, first.timestamp.milliseconds)
        } catch {
            // What it lacks was trimmed, or it knows what is not here.
            guard error.code == .historyExpired || error.code == .notYetReceived else { throw error }
            return record.lastContact
        }
    }

    /// By the average of the log.
    private func bytes(of lag: UInt64, _ state: LogState) throws(LogError) -> UInt64 {
        guard lag > 0 else { return 0 }
        let first = try log.floor?.frontLSN ?? 0
        let kept = max(1, state.position.lastLSN - min(first, state.position.lastLSN))
        let bytes = try LogError.wrap { () throws(StorageError) in
            var sum: UInt64 = 0
            for directory in [layout.log, layout.staged] where try environment.fileSystem.attributes(of: directory) != nil {
                for name in try environment.fileSystem.list(directory) {
                    sum += try environment.fileSystem.attributes(of: Path.join(directory, name))?.size ?? 0
                }
            }
            return sum
        }
        return UInt64(Double(bytes) / Double(kept) * Double(lag))
    }

    private static func date(_ milliseconds: UInt64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}

extension VersionVector {
    /// How many transactions it covers that another one does not.
    fileprivate func transactions(beyond other: VersionVector) -> UInt64 {
        entries.reduce(0) { sum, entry in
            let known = other[entry.origin]?.sequence ?? 0
            return sum + (entry.sequence > known ? entry.sequence - known : 0)
        }
    }
}
