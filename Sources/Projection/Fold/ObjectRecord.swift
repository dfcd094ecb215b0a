package import EventLog

// Invariants
// * `length` only grows; epochs below it are gone, epochs above it wait for it.
// * `entity` and `created` of a living object are those of the insert or restore that gave it its length (of concurrent
//   restores, the earliest). Nothing of a living object depends on what was before its length, for a baseline forgets that.

/// An object as far as it has arrived: how often it came and went, and what was written to it under which length.
package struct ObjectRecord: Sendable {
    package private(set) var entity: WireName?
    /// When it came to life under its length; zero while it is not alive.
    package private(set) var created: Timestamp = .zero
    /// The highest causal length among its insert (1), deletes (even) and restores (odd).
    package private(set) var length: UInt32
    /// What was written under exactly `length`.
    private var now = Epoch()
    /// What waits for a higher length, ascending.
    private var later: [(key: UInt32, value: Epoch)] = []

    package init(length: UInt32 = 0) { self.length = length }

    /// Odd is alive.
    package var isAlive: Bool { !length.isMultiple(of: 2) }

    /// What can be seen: writes under exactly the object's length.
    package var current: Epoch { _read { yield now } }

    /// By causal length, ascending: the current one, if anything was written under it, and those that wait.
    package var epochs: [(key: UInt32, value: Epoch)] { (now.isEmpty ? [] : [(length, now)]) + later }

    /// What was written under a length, if anything was.
    package func epoch(_ length: UInt32) -> Epoch? { epochs.first { $0.key == length }?.value }

    /// Whether nothing waits for a higher length.
    package var isSettled: Bool { later.isEmpty }

    /// About how much memory it takes.
    var bytes: Int { 160 + now.bytes + later.reduce(0) { $0 + $1.value.bytes + 64 } }

    /// An insert or a restore.
    mutating func arrive(_ entity: WireName, created: Timestamp, length: UInt32) {
        if length > self.length {
            raise(to: length)
            self.entity = entity
            self.created = created
        } else if length == self.length, let held = self.entity, (created, entity) < (self.created, held) {
            self.entity = entity
            self.created = created
        }
    }

    /// A change that names the entity without bringing the object to life.
    mutating func mention(_ entity: WireName) {
        guard !isAlive else { return }
        self.entity = self.entity.map { min($0, entity) } ?? entity
    }

    mutating func raise(to length: UInt32) {
        guard length > self.length else { return }
        self.length = length
        created = .zero
        now = Epoch()
        while let first = later.first, first.key <= length {
            if first.key == length { now = first.value }
            later.removeFirst()
        }
    }

    /// Lets `write` change what was written under `length`, unless that has been superseded.
    mutating func write(under length: UInt32, _ write: (inout Epoch) -> Void) {
        guard length >= self.length, length > 0 else { return }
        if length == self.length { return write(&now) }
        let place = later.firstIndex { $0.key >= length } ?? later.count
        if place == later.count || later[place].key != length { later.insert((length, Epoch()), at: place) }
        write(&later[place].value)
    }
}

extension ObjectRecord: Hashable {
    package static func == (a: ObjectRecord, b: ObjectRecord) -> Bool {
        a.length == b.length && a.entity == b.entity && a.created == b.created && a.now == b.now
            && a.later.elementsEqual(b.later) { $0.key == $1.key && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        hasher.combine(created)
        hasher.combine(length)
        hasher.combine(now)
    }
}
