public import EventLog
import Projection
import Storage

extension Store {
    /// Lets go of history: what a token covers is kept as a state only, and takes part in every later merge as before.
    ///
    /// The floor goes as far as whole files of the log are covered; where everything is, all goes. It does not pass what a live peer
    /// or consumer has not acknowledged, unless forced; the report names each. Transactions above the floor stay as they are, and what
    /// is held back because its clock was ahead stays too. Tokens below the floor are refused with `historyExpired`; deleted objects stay
    /// deleted, whoever comes late.
    ///
    /// ```swift
    /// let report = try await store.trim(before: lastMonth)
    /// for blocker in report.blockers { print(blocker.record.name, "lacks", blocker.lag, "transactions") }
    /// ```
    ///
    /// Writes of this store wait meanwhile; readers, snapshots and other processes go on.
    ///
    /// - Parameters:
    ///   - token: what need not be kept; where it covers less than the floor, nothing happens.
    ///   - force: go past what others have not acknowledged, and trim although an origin has forked. A peer that lacks what went
    ///     begins from the state that stands for it, at its next sync; a consumer gets `historyExpired`.
    /// - Throws: ``StoreError`` `wrongDataset`, `readOnly`, `storage` such as a full disk; then nothing is lost. `busy` when another
    ///   process trims at the same time, `unsupportedVersion` where an origin has forked, or a newer version wrote what is to go.
    @discardableResult
    public func trim(before token: HistoryToken, force: Bool = false) async throws -> TrimReport {
        let engine = engine
        return try await engine.background.run {
            try engine.check(token)
            var report = try engine.records.measure(.trim) { span in
                let report = try StoreError.wrap { try engine.exclusively { try engine.trim(before: token, force: force) } }
                span.fields += [
                    .transactions(report.transactions), .count(.bytesFreed, report.bytesFreed), .flag(.forced, force),
                ]
                return report
            }
            for blocker in report.blockers {
                engine.records.note(.trimBlocked, .blocker(blocker.record), .count(.lag, blocker.lag))
            }
            // The trim is done; what goes wrong with the blobs, `compact` tells.
            if report.transactions > 0, let blobs = try? engine.collectBlobs() { report.blobs = blobs }
            return report
        }
    }

    /// Below what the history is gone; nil as long as all of it is here.
    ///
    /// - Throws: `storage` or `corrupt` when the log cannot be read.
    public var floor: HistoryToken? {
        get throws {
            try StoreError.wrap { try engine.log.floorToken(at: engine.log.durableState) }
        }
    }
}

extension Engine {
    fileprivate func trim(before token: HistoryToken, force: Bool) throws -> TrimReport {
        // In some thousandths of random histories with forks a trimmed log comes to another state; until none does, whoever insists may.
        guard force || !log.durableState.branches.hasForks else {
            throw StoreError(
                .unsupportedVersion,
                "an origin of this store has forked (a copied store, or a machine set back), and this version does not trim such a history; "
                    + "keep it whole, or insist (--force) and verify the store afterwards")
        }
        let now = environment.clock.now()
        let live = try log.peers.filter { !$0.hasLapsed(now: now) }
        // What this version cannot read stays for one that can.
        let applied = self.token()
        var wanted = [token.vector, applied.vector]
        let blockers = force ? [] : live.compactMap { blocker($0, wanting: token.vector, applied.vector) }
        if !force { wanted += live.map(\.acknowledged.vector) }
        for _ in 0..<Self.attempts {
            guard let point = try log.trimPoint(before: wanted) else {
                return TrimReport(
                    floor: try log.floorToken(at: log.durableState), transactions: 0, bytesFreed: 0, blockers: blockers)
            }
            guard let result = try trim(to: point) else { continue }
            publishPosition()
            return TrimReport(
                floor: try log.floorToken(at: log.durableState), transactions: result.transactions,
                bytesFreed: result.bytesFreed, blockers: blockers)
        }
        throw StoreError(.busy, "another process trims this store, or an origin forks at every moment; try again")
    }

    private static let attempts = 8

    private func blocker(
        _ record: PeerRecord, wanting wanted: VersionVector, _ applied: VersionVector
    ) -> TrimReport.Blocker? {
        var lag: UInt64 = 0
        for entry in wanted.entries {
            let end = min(entry.sequence, applied.sequence(of: entry.origin))
            let known = record.acknowledged.vector.sequence(of: entry.origin)
            if end > known { lag += end - known }
        }
        return lag > 0 ? TrimReport.Blocker(record: record, lag: lag) : nil
    }

    /// Writes the state at a place of the log as its baseline; nil when names or the floor have changed meanwhile.
    private func trim(to point: TrimPoint) throws -> TrimResult? {
        let (now, position, names) = try named()
        let branches = position.branches.branches
        guard branches.count >= point.state.branches.branches.count,
            zip(branches, point.state.branches.branches).allSatisfy({ $0.root == $1.root && $0.name == $1.name }),
            try log.floorToken(at: position) == log.floorToken(at: point.state)
        else { return nil }
        var vector: [ReplicaID: UInt64] = [:]
        for entry in point.vector.entries { vector[entry.origin] = entry.sequence }
        let state = vector == now.vector ? now : try past.state(at: vector, of: log, position, names)
        guard state.vector == vector else {
            throw StoreError(
                .unsupportedVersion, "a newer version wrote what this one cannot read; trim the store with the newer one")
        }
        let sink = BaselineSink(try log.makeBaseline())
        do {
            try BaselineWriter.write(state, chains: point.chains) { try sink.append($0) }
            return try log.trim(to: point, sink.writer)
        } catch {
            sink.discard()
            throw error
        }
    }
}
