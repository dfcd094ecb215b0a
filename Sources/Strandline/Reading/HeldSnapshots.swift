// Invariants
// * `held` has every snapshot that was made and is still used; others go when somebody looks.
// * Each is reported once.

import Projection
import Storage
import Synchronization

/// The snapshots of a store that somebody holds, and since when.
final class HeldSnapshots: Sendable {
    private struct Held {
        weak var snapshot: Snapshot?
        let since: UInt64
        var isReported = false
    }

    private let held = Mutex<[Held]>([])
    private let clock: any WallClock
    /// How long one may be held before it is reported, in nanoseconds.
    private let patience: UInt64
    private let reports: ReportLog

    init(_ clock: any WallClock, patience: Duration, _ reports: ReportLog) {
        self.clock = clock
        self.patience = UInt64(clamping: Int64(patience / .nanoseconds(1)))
        self.reports = reports
    }

    func add(_ snapshot: Snapshot) {
        let now = clock.monotonic()
        held.withLock { held in
            held.removeAll { $0.snapshot == nil }
            held.append(Held(snapshot: snapshot, since: now))
        }
    }

    var count: Int { held.withLock { held in held.count { $0.snapshot != nil } } }

    /// What they are snapshots of.
    var states: [FoldState] { held.withLock { held in held.compactMap { $0.snapshot?.state } } }

    /// Reports those that have been held for long and keep runs that the projection no longer has.
    func check(against runs: RunSet) {
        let now = clock.monotonic()
        let overdue = held.withLock { held -> [StoreReport] in
            held.indices.compactMap { index in
                let age = now &- held[index].since
                guard !held[index].isReported, age >= patience, let snapshot = held[index].snapshot else { return nil }
                let bytes = snapshot.bytes(beside: runs)
                guard bytes > 0 else { return nil }
                held[index].isReported = true
                return .snapshotHeld(for: .nanoseconds(Int64(clamping: age)), bytes: bytes)
            }
        }
        for report in overdue { reports.add(report) }
    }
}

extension Snapshot {
    /// Bytes of run files that it keeps and a projection does not have.
    fileprivate func bytes(beside runs: RunSet) -> UInt64 {
        let members = self.runs?.members ?? []
        return members.reduce(0) { sum, member in
            runs.members.contains { $0.run === member.run } ? sum : sum + member.run.byteCount
        }
    }
}
