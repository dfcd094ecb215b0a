package import EventLog
package import Storage

// Invariants
// * A record in a newer level hides those of the object in older ones: `top`, then `frozen` from the last to the first, then `base`.
// * Nothing below `top` changes; levels may be replaced by one with the same records.
// * Two tables may share a store. Only the one that has all of it appends; another one copies its part first.
// * What is below `floor` may be seen by a view, what is above it by nobody but tables with the same `owner`.

/// The records of objects, over levels: in memory what was written last, below it what was written before.
///
/// A value. A copy costs nothing, and keeps what it has whatever is written later.
package struct RecordTable: Sendable {
    /// A store that nobody writes any more.
    private struct Frozen: Sendable {
        let store: VersionStore
        let mark: VersionStore.Mark
        let owner: Owner
    }

    /// What tables have in common that see all of a store, and views do not.
    private final class Owner: Sendable {}

    private var top = VersionStore()
    private var owner = Owner()
    private var mark = VersionStore.Mark()
    private var floor = VersionStore.Mark()
    private var frozen: [Frozen] = []
    package private(set) var base: (any RecordLevel)?

    package init() {}

    /// The record of an object; nil when it was never heard of.
    package subscript(id: ObjectID) -> ObjectRecord? {
        held(id)?.record ?? base?.record(id)
    }

    /// Objects that may have a term, each once: some no longer have it.
    package func candidates(_ term: UInt64) -> [ObjectID] {
        var found = top.candidates(term, at: mark)
        for level in frozen { found += level.store.candidates(term, at: level.mark) }
        if let base { found += base.candidates(term) }
        return found.count < 2 ? found : Array(Set(found))
    }

    /// Calls with every object's record, in no order.
    package func visit(_ body: (ObjectID, ObjectRecord) -> Void) {
        visitInMemory { body($0, $1.record) }
        base?.visit { id, record in
            if !isInMemory(id) { body(id, record) }
        }
    }

    /// Calls with the records of living objects of some entities, in no order.
    package func visit(of entities: Set<WireName>, _ body: (ObjectID, ObjectRecord) -> Void) {
        visitInMemory { id, held in
            if held.isAlive, let entity = held.entity, entities.contains(entity) { body(id, held.record) }
        }
        base?.visit(of: entities) { id, record in
            if !isInMemory(id) { body(id, record) }
        }
    }

    /// The rows of the base that hold older records of objects above it.
    package func rowsHidden(in base: RunSet) -> [HiddenRow] {
        frozen.reduce(top.rows(in: base, at: mark)) { $0 + $1.store.rows(in: base, at: $1.mark) }
    }

    /// Whether an object is alive; quicker than its record.
    package func isAlive(_ id: ObjectID) -> Bool {
        held(id)?.isAlive ?? base?.isAlive(id) ?? false
    }

    /// The unique key of a living object.
    func uniqueKey(of id: ObjectID, by schema: SchemaState) -> UniqueKey? {
        if let held = held(id) { return held.uniqueKey(by: schema) }
        return base?.record(id)?.uniqueKey(by: schema)
    }

    /// Whether there is a record of an object; quicker than the record.
    package func contains(_ id: ObjectID) -> Bool { isInMemory(id) || base?.contains(id) ?? false }

    private func held(_ id: ObjectID) -> HeldRecord? {
        if let held = top.record(id, at: mark) { return held }
        for level in frozen.reversed() {
            if let held = level.store.record(id, at: level.mark) { return held }
        }
        return nil
    }

    /// Calls with every record above the base, in no order.
    package func visitInMemory(_ body: (ObjectID, HeldRecord) throws -> Void) rethrows {
        try top.visit(at: mark, body)
        for (index, level) in frozen.enumerated().reversed() {
            try level.store.visit(at: level.mark) { id, held in
                if !top.contains(id, at: mark), !Self.contains(frozen[(index + 1)...], id) { try body(id, held) }
            }
        }
    }

    /// Every record above the base, those of many inserts together, in no order.
    package func stretchesInMemory() -> [RecordStretch] {
        var stretches = top.stretches(at: mark)
        for (index, level) in frozen.enumerated().reversed() {
            let hasNewer = mark != VersionStore.Mark() || index + 1 < frozen.count
            guard hasNewer else {
                stretches += level.store.stretches(at: level.mark)
                continue
            }
            level.store.visit(at: level.mark) { id, held in
                if !top.contains(id, at: mark), !Self.contains(frozen[(index + 1)...], id) { stretches.append(id, held) }
            }
        }
        return stretches
    }

    /// Whether anything was ever written to it.
    var hasAny: Bool { mark != VersionStore.Mark() || !frozen.isEmpty || base != nil }

    /// Whether a level above the base has the object.
    package func isInMemory(_ id: ObjectID) -> Bool { top.contains(id, at: mark) || Self.contains(frozen[...], id) }

    private static func contains(_ levels: ArraySlice<Frozen>, _ id: ObjectID) -> Bool {
        levels.contains { $0.store.contains(id, at: $0.mark) }
    }
}

// Writing.
extension RecordTable {
    /// A moment to come back to.
    package struct Savepoint: Sendable {
        fileprivate let mark: VersionStore.Mark
    }

    /// Sets the record of an object.
    ///
    /// Since a savepoint, an object's earlier record may be overwritten.
    package mutating func set(_ id: ObjectID, _ record: HeldRecord, since savepoint: Savepoint? = nil) {
        var replacing: VersionStore.Mark?
        if isKnownUniquelyReferenced(&owner) { replacing = savepoint.map { max($0.mark, floor) } ?? floor }
        mark = top.set(id, record, at: mark, replacing: replacing) ?? own().set(id, record, at: mark, replacing: nil) ?? mark
    }

    /// Adds rows of inserts, each found by its term if it has one, up to the first of which something is known in memory that is
    /// still written to.
    ///
    /// - Parameter hashes: by row.
    /// - Returns: behind the last row that was added.
    mutating func append(_ rows: InsertedRows, _ range: Range<Int>, _ hashes: [UInt64?]) -> Int {
        let added = top.append(rows, range, hashes, at: mark) ?? own().append(rows, range, hashes, at: mark)
        guard let added else { return range.lowerBound }
        mark = added.mark
        return added.end
    }

    /// Whether something is known of an object below what is still written to.
    func isBelow(_ id: ObjectID) -> Bool { Self.contains(frozen[...], id) || base?.contains(id) ?? false }

    /// Whether anything is known of an object whose id is in a range, below what is still written to; true where only a closer look
    /// could tell.
    func mayBeBelow(_ range: ClosedRange<ObjectID>) -> Bool { !frozen.isEmpty || base?.mayContain(range) ?? false }

    /// Whether any object may have a term.
    package func isTermKnown(_ term: UInt64) -> Bool { top.has(term, at: mark) || isTermBelow(term) }

    /// Whether an object below what is still written to may have a term.
    func isTermBelow(_ term: UInt64) -> Bool {
        frozen.contains { $0.store.has(term, at: $0.mark) }
            || base.map { $0.mayHave(term) && !$0.candidates(term).isEmpty } ?? false
    }

    /// Makes an object be found by a term.
    package mutating func add(_ term: UInt64, _ id: ObjectID) {
        mark = top.add(term, id, at: mark) ?? own().add(term, id, at: mark) ?? mark
    }

    package var savepoint: Savepoint { Savepoint(mark: mark) }

    /// Takes back what came after a savepoint; nothing may have been frozen since.
    package mutating func rollback(to savepoint: Savepoint) {
        guard mark != savepoint.mark else { return }
        if isKnownUniquelyReferenced(&owner), savepoint.mark >= floor {
            top.truncate(to: savepoint.mark)
        } else {
            replaceTop(by: top.copy(upTo: savepoint.mark))
        }
        mark = savepoint.mark
    }

    /// A copy to be read only, which does not make later writes to this table dearer.
    package mutating func view() -> RecordTable {
        floor = mark
        var view = self
        view.owner = Owner()
        return view
    }

    /// The store, as one to append to.
    private mutating func own() -> VersionStore {
        replaceTop(by: top.copy(upTo: mark))
        return top
    }

    private mutating func replaceTop(by store: VersionStore) {
        top = store
        owner = Owner()
        floor = VersionStore.Mark()
    }
}

// Levels.
extension RecordTable {
    /// About how many bytes of memory were written since ``freeze()``.
    package var topBytes: Int { top.bytes }

    /// About how many bytes of memory everything above the base takes.
    package var memoryBytes: Int { frozen.reduce(top.bytes) { $0 + $1.store.bytes } }

    /// How many levels lie between what is written and the base.
    package var frozenCount: Int { frozen.count }

    /// Puts what was written so far below a new, empty level.
    package mutating func freeze() {
        guard mark != VersionStore.Mark() else { return }
        frozen.append(Frozen(store: top, mark: mark, owner: owner))
        replaceTop(by: VersionStore())
        mark = VersionStore.Mark()
    }

    /// Puts a base in the place of the old one and of the oldest frozen levels, which it has the records of.
    package mutating func replaceBase(_ base: (any RecordLevel)?, withFrozen count: Int = 0) {
        frozen.removeFirst(count)
        self.base = base
    }
}

/// Records that do not change: what lies below those in memory.
package protocol RecordLevel: AnyObject, Sendable {
    /// The record of an object; nil when the level has none.
    func record(_ id: ObjectID) -> ObjectRecord?
    /// Objects that may have a term; some no longer have it.
    func candidates(_ term: UInt64) -> [ObjectID]
    /// False when no object has a term.
    func mayHave(_ term: UInt64) -> Bool
    /// Calls with every record, in no order.
    func visit(_ body: (ObjectID, ObjectRecord) -> Void)
    /// Calls with the records of living objects of some entities, in no order.
    func visit(of entities: Set<WireName>, _ body: (ObjectID, ObjectRecord) -> Void)
    func contains(_ id: ObjectID) -> Bool
    /// False when the level has surely nothing of ids in a range.
    func mayContain(_ range: ClosedRange<ObjectID>) -> Bool
    func isAlive(_ id: ObjectID) -> Bool
    /// Set once something of the level could not be read; what was read since then may lack something.
    var failure: StorageError? { get }
}
