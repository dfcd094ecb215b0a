// Invariants
// * Every file is given out at most once in a round.
// * `reached` counts what was taken; `expected` counts what was given out and may yet prove unusable as well.

import EventLog
import Storage

/// One pass over the files that are not known, in an order in which they can be taken.
struct ImportRound {
    private let entries: [ExchangeEntry]
    private var next = 0
    private let before: [ReplicaID: UInt64]
    private var reached: [ReplicaID: UInt64]
    private var expected: [ReplicaID: UInt64] = [:]
    private var ends: Set<Stretch> = []
    private var hasDeferred = false
    private var hasTaken = false
    private var hasDropped = false
    /// Paths of the files that need not be looked at again.
    private(set) var finished: Set<String> = []

    init(_ map: StretchMap) {
        entries = map.unknown
        before = map.reached
        reached = map.reached
    }

    /// Whether another round may find more to take.
    var hasMoved: Bool { hasTaken || (hasDropped && hasDeferred) }

    /// The next files that can be taken together; nil at the end.
    mutating func group(upTo limit: UInt64, _ fileSystem: any FileSystem) -> [ExchangeEntry]? {
        expected = reached
        var group: [ExchangeEntry] = []
        var size: UInt64 = 0
        while next < entries.count {
            let entry = entries[next]
            guard isDue(entry) else {
                next += 1
                continue
            }
            // What is not there any more will be told when it is opened.
            let length = (try? fileSystem.attributes(of: entry.path))?.size ?? 0
            if !group.isEmpty, size + length > limit { break }
            next += 1
            size += length
            group.append(entry)
            ends.insert(end(of: entry.stretch))
            expected[entry.stretch.origin] = max(expected[entry.stretch.origin] ?? 0, entry.stretch.last)
        }
        return group.isEmpty ? nil : group
    }

    mutating func took(_ entry: ExchangeEntry, _ stretch: Stretch) {
        hasTaken = true
        finished.insert(entry.path)
        reached[stretch.origin] = max(reached[stretch.origin] ?? 0, stretch.last)
    }

    mutating func dropped(_ entry: ExchangeEntry) {
        hasDropped = true
        finished.insert(entry.path)
    }

    private mutating func isDue(_ entry: ExchangeEntry) -> Bool {
        let stretch = entry.stretch
        let expected = expected[stretch.origin] ?? 0
        if ends.contains(end(of: stretch)) {
            // A copy; it is known when the first one is taken.
            hasDeferred = true
            return false
        }
        // The log was asked already and has another chain there: the origin has forked.
        if stretch.last <= before[stretch.origin] ?? 0 { return true }
        if stretch.last <= expected {
            hasDeferred = true
            return false
        }
        return stretch.first <= expected + 1
    }

    /// A stretch by its end alone.
    private func end(of stretch: Stretch) -> Stretch {
        Stretch(origin: stretch.origin, first: stretch.last, last: stretch.last, before: stretch.after, after: stretch.after)
    }
}
