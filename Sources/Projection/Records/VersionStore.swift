// Invariants
// * `versions` and `terms` only grow, but for `truncate`, which takes back what no reader was told of.
// * Of an object, `newest` names its last version; from there `previous` leads to older ones and `next` back.
// * A reader knows how many versions and terms there were when its table was made, and looks at no others. So what is appended
//   later needs no copy and stops nobody.
// * A term may be stale, or of a version that a reader must not see: whoever finds an object by one looks at its record.

import EventLog
import Synchronization

/// Versions of object records in memory, in order of arrival, shared by all tables that have looked at it.
final class VersionStore: Sendable {
    /// How much of a store a table has.
    struct Mark: Hashable, Comparable, Sendable {
        var versions = 0
        var terms = 0

        static func < (a: Mark, b: Mark) -> Bool { (a.versions, a.terms) < (b.versions, b.terms) }
    }

    fileprivate struct Version {
        let id: ObjectID
        var record: HeldRecord
        let previous: Int32
        var next: Int32 = Version.none

        static let none: Int32 = -1
    }

    fileprivate struct Term {
        let hash: UInt64
        let id: ObjectID
        let previous: Int32
    }

    fileprivate struct State {
        var versions: [Version] = []
        /// Of all versions, about.
        var bytes = 0
        var newest: [ObjectID: Int32] = [:]
        var terms: [Term] = []
        var lastTerm: [UInt64: Int32] = [:]
    }

    /// Which rows of a base the versions hide, found out as far as somebody asked.
    private struct Hidden {
        weak var base: RunSet?
        /// How many versions were looked at.
        var looked = 0
        /// Ascending by version.
        var rows: [(version: Int, row: HiddenRow)] = []
    }

    private let state: Mutex<State>
    private let hidden = Mutex(Hidden())

    init() { state = Mutex(State()) }

    /// About how much memory it takes.
    var bytes: Int { state.withLock { $0.bytes + $0.terms.count * 64 } }

    /// Up to a mark, on its own.
    func copy(upTo mark: Mark) -> VersionStore {
        let (versions, terms) = state.withLock { (Array($0.versions[..<mark.versions]), Array($0.terms[..<mark.terms])) }
        let copy = VersionStore()
        copy.state.withLock { state in
            for version in versions { state.append(version.id, version.record) }
            for term in terms { state.append(term.hash, term.id) }
        }
        return copy
    }

    func record(_ id: ObjectID, at mark: Mark) -> HeldRecord? {
        state.withLock { state in state.place(of: id, at: mark).map { state.versions[$0].record } }
    }

    func contains(_ id: ObjectID, at mark: Mark) -> Bool { state.withLock { $0.place(of: id, at: mark) != nil } }

    /// Adds a version; nil when the store has more than the caller's mark, which then is another's.
    ///
    /// With `replacing`, one beyond that mark is overwritten instead: nobody but the caller has seen it.
    func set(_ id: ObjectID, _ record: HeldRecord, at mark: Mark, replacing: Mark?) -> Mark? {
        state.withLock { state in
            guard state.mark == mark else { return nil }
            if let replacing, let place = state.newest[id], place >= replacing.versions {
                state.bytes += record.bytes - state.versions[Int(place)].record.bytes
                state.versions[Int(place)].record = record
            } else {
                state.append(id, record)
            }
            return state.mark
        }
    }

    /// Adds a term; nil as for ``set(_:_:at:replacing:)``.
    func add(_ term: UInt64, _ id: ObjectID, at mark: Mark) -> Mark? {
        state.withLock { state in
            guard state.mark == mark else { return nil }
            state.append(term, id)
            return state.mark
        }
    }

    /// Objects that may have a term, with repetitions.
    func candidates(_ term: UInt64, at mark: Mark) -> [ObjectID] {
        state.withLock { state in
            var found: [ObjectID] = []
            var place = state.lastTerm[term] ?? Version.none
            while place != Version.none {
                let entry = state.terms[Int(place)]
                if place < mark.terms { found.append(entry.id) }
                place = entry.previous
            }
            return found
        }
    }

    /// The rows of a base that hold older records of objects in here.
    func rows(in base: RunSet, at mark: Mark) -> [HiddenRow] {
        hidden.withLock { hidden in
            if hidden.base !== base { hidden = Hidden(base: base) }
            if hidden.looked < mark.versions {
                let ids = state.withLock { $0.versions[hidden.looked..<mark.versions].map { ($0.previous, $0.id) } }
                for (index, (previous, id)) in ids.enumerated() where previous == Version.none {
                    if let row = base.findRow(of: id) { hidden.rows.append((hidden.looked + index, row)) }
                }
                hidden.looked = mark.versions
            }
            return hidden.rows.prefix { $0.version < mark.versions }.map(\.row)
        }
    }

    /// Forgets what came after a mark.
    func truncate(to mark: Mark) {
        hidden.withLock { hidden in
            hidden.looked = min(hidden.looked, mark.versions)
            while let last = hidden.rows.last, last.version >= mark.versions { hidden.rows.removeLast() }
        }
        state.withLock { state in
            while state.versions.count > mark.versions {
                let version = state.versions.removeLast()
                state.bytes -= version.record.bytes
                if version.previous == Version.none {
                    state.newest[version.id] = nil
                } else {
                    state.newest[version.id] = version.previous
                    state.versions[Int(version.previous)].next = Version.none
                }
            }
            while state.terms.count > mark.terms {
                let term = state.terms.removeLast()
                state.lastTerm[term.hash] = term.previous == Version.none ? nil : term.previous
            }
        }
    }

    /// Each object's version at a mark, in order of arrival.
    ///
    /// The store is locked for some hundred at a time only.
    func visit(at mark: Mark, _ body: (ObjectID, HeldRecord) throws -> Void) rethrows {
        var start = 0
        while start < mark.versions {
            let end = min(mark.versions, start + 256)
            let some = state.withLock { state in
                state.versions[start..<end].lazy
                    .filter { $0.next == Version.none || $0.next >= mark.versions }.map { ($0.id, $0.record) }
            }
            for (id, record) in Array(some) { try body(id, record) }
            start = end
        }
    }
}

extension VersionStore.State {
    fileprivate var mark: VersionStore.Mark { VersionStore.Mark(versions: versions.count, terms: terms.count) }

    fileprivate func place(of id: ObjectID, at mark: VersionStore.Mark) -> Int? {
        guard var place = newest[id] else { return nil }
        while place >= mark.versions {
            place = versions[Int(place)].previous
            if place == VersionStore.Version.none { return nil }
        }
        return Int(place)
    }

    fileprivate mutating func append(_ id: ObjectID, _ record: HeldRecord) {
        let place = Int32(versions.count)
        bytes += record.bytes
        let previous = newest.updateValue(place, forKey: id) ?? VersionStore.Version.none
        if previous != VersionStore.Version.none { versions[Int(previous)].next = place }
        versions.append(VersionStore.Version(id: id, record: record, previous: previous))
    }

    fileprivate mutating func append(_ hash: UInt64, _ id: ObjectID) {
        let place = Int32(terms.count)
        let previous = lastTerm.updateValue(place, forKey: hash) ?? VersionStore.Version.none
        terms.append(VersionStore.Term(hash: hash, id: id, previous: previous))
    }
}
