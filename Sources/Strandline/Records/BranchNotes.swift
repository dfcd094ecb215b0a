// Invariant: `seen` is guarded by its mutex; what differs from it is noted once.

import EventLog
import Storage
import Synchronization

/// Notes what has become of the origins of a log: held back, released, forked, joined from a baseline.
final class BranchNotes: Sendable {
    private struct Seen {
        var position: LogPosition?
        var branches = 0
        var held: [ReplicaID: HeldOrigin] = [:]
        var joined = 0
        /// Whether the log was looked at before: what it had at the opening is no news.
        var isBegun = false
    }

    let records: RecordLog
    private let clock: any WallClock
    private let seen = Mutex(Seen())

    init(_ records: RecordLog, _ clock: any WallClock) {
        self.records = records
        self.clock = clock
    }

    /// Compares a state of the log with the last one that was looked at.
    func look(at state: LogState) {
        guard records.isWritten else { return }
        seen.withLock { seen in
            guard seen.position != state.position else { return }
            seen.position = state.position
            lookForHolds(state.branches, &seen)
            lookForForks(state.branches, &seen)
            if seen.isBegun {
                for baseline in state.joined.dropFirst(seen.joined) {
                    records.note(.baselineJoined, .count(.origins, baseline.floor.count), .count(.lsn, baseline.lsn))
                }
            }
            seen.joined = state.joined.count
            seen.isBegun = true
        }
    }

    /// Those that are held at the opening are told too: they are why something does not show.
    private func lookForHolds(_ branches: BranchTable, _ seen: inout Seen) {
        guard !seen.held.isEmpty || branches.branches.contains(where: \.isHeld) else { return }
        let now = clock.now()
        let held = Dictionary(branches.heldOrigins.map { ($0.origin, $0) }, uniquingKeysWith: { $1 })
        for (origin, hold) in held.sorted(by: { $0.key < $1.key }) where seen.held[origin] == nil {
            let ahead = hold.timestamp.milliseconds
            records.note(
                .held, .origin(origin), .word(.reason, "clockSkew"), .count(.first, hold.sequences.lowerBound),
                .count(.last, hold.sequences.upperBound), .count(.aheadMilliseconds, ahead > now ? ahead - now : 0))
        }
        for origin in seen.held.keys.sorted() where held[origin] == nil { records.note(.holdEnded, .origin(origin)) }
        seen.held = held
    }

    private func lookForForks(_ branches: BranchTable, _ seen: inout Seen) {
        if seen.isBegun, branches.branches.count > seen.branches {
            for branch in branches.branches.dropFirst(seen.branches) where branch.parent != nil {
                records.note(.forked, .origin(branch.root.origin), .count(.sequence, branch.root.firstSequence))
            }
        }
        seen.branches = branches.branches.count
    }
}
