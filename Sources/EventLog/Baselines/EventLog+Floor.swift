import Storage
import Synchronization

extension EventLog {
    /// Below what the history is gone; nil as long as all of it is here.
    package var floor: LogFloor? { get throws(LogError) { try floor(at: durableState) } }

    /// The floor of a state of this log.
    func floor(at state: LogState) throws(LogError) -> LogFloor? {
        let front = try catalog.front()
        guard front.baseline != nil || !state.joined.isEmpty else { return nil }
        let start = front.start
        var positions: [FloorPosition] = []
        if front.baseline != nil {
            for branch in start?.branches.branches ?? [] where branch.last.sequence >= branch.root.firstSequence {
                positions.append(
                    FloorPosition(root: branch.root, position: branch.last, timestamp: branch.lastTimestamp))
            }
        }
        let gone = positions.count
        // Those that came before the first segment are in its baseline.
        let later = state.joined.dropFirst(start?.joined.count ?? 0)
        for baseline in later { positions += baseline.floor }
        return LogFloor(
            baselines: (front.baseline.map { [$0] } ?? []) + later.map(\.identity), firstOrdinal: front.firstOrdinal,
            frontLSN: front.firstLSN - 1, lastLSN: max(front.firstLSN - 1, later.last?.lsn ?? 0), positions: positions,
            gone: gone)
    }

    /// The baselines that stand for what is at or below the floor, in the floor's order; none when all of history is here.
    package func baselines(at state: LogState) throws(LogError) -> (floor: LogFloor, files: [BaselineFile])? {
        while let floor = try floor(at: state) {
            do throws(LogError) {
                var files: [BaselineFile] = []
                for identity in floor.baselines {
                    files.append(
                        try BaselineFile(
                            layout.baseline(identity), identity: identity, dataset: dataset, in: environment.fileSystem))
                }
                return (floor, files)
            } catch {
                guard error.underlying?.code == .notFound else { throw error }
                // Another process may have trimmed further.
                guard try self.floor(at: state) == floor else { continue }
                throw LogError(
                    .corrupt, "the baseline of the log is missing; \(LogError.restoration)", path: error.path)
            }
        }
        return nil
    }

    /// The baselines that a peer is to be given, each with a ``BaselineReceiver``, who lacks something below the floor; none as long as
    /// all of history is here.
    package var baselineFiles: [BaselineFile] { get throws(LogError) { try baselines(at: durableState)?.files ?? [] } }

    /// A token of just what is below the floor, by the names of now.
    package func floorToken(at state: LogState) throws(LogError) -> HistoryToken? {
        guard let floor = try floor(at: state) else { return nil }
        var vector = VersionVector()
        for place in floor.positions {
            state.branches.advance(&vector, along: place.root, to: place.position)
        }
        return HistoryToken(dataset: dataset, vector: vector)
    }

    func expired(_ what: String) -> LogError {
        LogError(
            .historyExpired,
            "\(what) is below the floor: the history up to there was trimmed; begin from the state as it is now",
            path: layout.root)
    }
}
