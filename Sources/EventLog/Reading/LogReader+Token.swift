package import Storage

extension LogReader {
    /// Reads what is applied and not covered by a token, wherever it came from.
    ///
    /// A token of this log begins where it was given; any other at a segment's start. What it covers and this log lacks does not matter.
    ///
    /// - Parameter state: a durable state of the log, to end at; the present one without.
    /// - Throws: `wrongDataset`, `historyExpired` for a token that does not cover all below the floor, or `forked` for one of a branch
    ///   that is not here.
    package init(_ log: EventLog, after token: HistoryToken, at state: LogState? = nil) throws(LogError) {
        guard token.dataset == log.dataset else {
            throw LogError(
                .wrongDataset, "the token is of dataset \(token.dataset), and the store of \(log.dataset)",
                path: log.layout.root)
        }
        let state = state ?? log.durableState
        let floor = try log.floor(at: state)
        if floor.map({ token.hint.lsn > $0.lastLSN }) ?? true, try Self.isProven(token.hint, in: log, state) {
            try self.init(log, state: state, after: token.hint.lsn)
        } else {
            let coverage = try log.coverage(of: token.vector, in: state.branches, isToken: true)
            guard floor.map({ coverage.covers($0, in: state.branches) }) ?? true else { throw log.expired("the token") }
            try self.init(log, state: state, coverage: coverage)
        }
        isAppliedOnly = true
    }

    /// Reads what is applied of all that is kept; below the floor, baselines tell what was there.
    ///
    /// - Parameter state: a durable state of the log, to end at.
    package init(_ log: EventLog, appliedAt state: LogState) throws(LogError) {
        try self.init(log, state: state)
        isAppliedOnly = true
    }

    /// Reads what another store lacks, held or applied, in the order of arrival.
    ///
    /// - Throws: `historyExpired` when it lacks something below the floor, and so needs the baseline first.
    /// - Parameter received: what that store has received, see ``EventLog/receivedVector``. Entries that mean nothing here cover nothing.
    /// - Parameter baselines: those that it has joined, or found to tell it nothing new. Where an origin forked, a vector alone does not
    ///   always say that all below the floor is there.
    package init(
        _ log: EventLog, lacking received: VersionVector, having baselines: Set<Digest128> = []
    ) throws(LogError) {
        let state = log.durableState
        var coverage = try log.coverage(of: received, in: state.branches, isToken: false)
        if let floor = try log.floor(at: state), !coverage.covers(floor, in: state.branches) {
            guard baselines.isSuperset(of: floor.baselines) else { throw log.expired("something that the other store lacks") }
            coverage.cover(floor, in: state.branches)
        }
        try self.init(log, state: state, coverage: coverage)
    }

    private init(_ log: EventLog, state: LogState, coverage: Coverage) throws(LogError) {
        let segments = try log.catalog.segments(through: state.position.ordinal)
        try self.init(log, state: state, after: try log.lsn(coveredBy: coverage, in: segments))
        self.coverage = coverage
    }

    /// Whether this log has the very frames up to the hint that it had when the token was given.
    private static func isProven(_ hint: HistoryToken.Hint, in log: EventLog, _ state: LogState) throws(LogError) -> Bool {
        guard hint.log == log.logID, hint.lsn <= state.position.lastLSN else { return false }
        guard hint.lsn < state.position.lastLSN || hint.link != state.position.link else { return true }
        var reader = try LogReader(log, state: state, after: max(1, hint.lsn) - 1)
        while let (frame, _) = try reader.nextFrame() {
            let next = frame.header.firstLSN + UInt64(frame.header.transactions)
            if next == hint.lsn + 1, frame.header.checksum == hint.link { return true }
            if next > hint.lsn + 1 { return false }
        }
        return false
    }

    /// The token of the state that this reader ends at.
    package var token: HistoryToken { log.token(at: state) }
}
