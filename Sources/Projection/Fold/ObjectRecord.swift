package import EventLog

// Invariants
// * `length` only grows; epochs below it are gone, epochs above it wait for it.
// * `entity` and `created` of a living object are those of the insert or restore that gave it its length (of concurrent
//   restores, the earliest). Nothing of a living object depends on what was before its length, for a baseline forgets that.

/// An object as far as it has arrived: how often it came and went, and what was written to it under which length.
package struct ObjectRecord: Hashable, Sendable {
    package private(set) var entity: WireName?
    /// When it came to life under its length; zero while it is not alive.
    package private(set) var created: Timestamp = .zero
    /// The highest causal length among its insert (1), deletes (even) and restores (odd).
    package private(set) var length: UInt32
    package private(set) var epochs: [UInt32: Epoch] = [:]

    init(length: UInt32 = 0) { self.length = length }

    /// Odd is alive.
    package var isAlive: Bool { !length.isMultiple(of: 2) }

    /// What can be seen: writes under exactly the object's length.
    package var current: Epoch? { epochs[length] }

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
        epochs = epochs.filter { $0.key >= length }
    }

    /// Lets `write` change what was written under `length`, unless that has been superseded.
    mutating func write(under length: UInt32, _ write: (inout Epoch) -> Void) {
        guard length >= self.length, length > 0 else { return }
        write(&epochs[length, default: Epoch()])
    }
}
