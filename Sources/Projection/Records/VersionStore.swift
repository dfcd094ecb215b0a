// Invariants
// * `versions` and `terms` only grow, but for `truncate`, which takes back what no reader was told of.
// * Of an object, `newest` names its last version; from there `previous` leads to older ones and `next` back.
// * A reader knows how many versions and terms there were when its table was made, and looks at no others. So what is appended
//   later needs no copy and stops nobody.
// * A term may be stale, or of a version that a reader must not see: whoever finds an object by one looks at its record.

import EventLog
import Storage
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
        /// Of each object, its newest version.
        var newest = PlaceTable()
        var terms: [Term] = []
        /// Of each hash, its last term.
        var lastTerm = PlaceTable()
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
            if let replacing, let place = state.newest(of: id), place >= replacing.versions {
                state.bytes += record.bytes - state.versions[Int(place)].record.bytes
                state.versions[Int(place)].record = record
            } else {
                state.append(id, record)
            }
            return state.mark
        }
    }

    /// Adds rows of inserts, each by its own term if it has one, up to the first of which something is known here.
    ///
    /// - Parameter hashes: by row.
    /// - Returns: the new mark, and how many rows were taken; nil as for ``set(_:_:at:replacing:)``.
    func append(
        _ rows: InsertedRows, _ range: Range<Int>, _ hashes: [UInt64?], at mark: Mark
    ) -> (mark: Mark, end: Int)? {
        state.withLock { state in
            guard state.mark == mark else { return nil }
            for row in range {
                let id = rows.id(row)
                let hash = hashes[row]
                if state.newest(of: id) != nil { return (state.mark, row) }
                if let hash, state.last(of: hash) != nil { return (state.mark, row) }
                state.appendFirst(id, .row(rows, row))
                if let hash { state.appendFirst(hash, id) }
            }
            return (state.mark, range.upperBound)
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
            var place = state.last(of: term) ?? Version.none
            while place != Version.none {
                let entry = state.terms[Int(place)]
                if place < mark.terms { found.append(entry.id) }
                place = entry.previous
            }
            return found
        }
    }

    /// Whether an object may have a term.
    func has(_ term: UInt64, at mark: Mark) -> Bool {
        state.withLock { state in
            guard var place = state.last(of: term) else { return false }
            while place >= mark.terms {
                place = state.terms[Int(place)].previous
                if place == Version.none { return false }
            }
            return true
        }
    }

    /// The rows of a base that hold older records of objects in here.
    func rows(in base: RunSet, at mark: Mark) -> [HiddenRow] {
        hidden.withLock { hidden in
            if hidden.base !== base { hidden = Hidden(base: base) }
            if hidden.looked < mark.versions {
                let others = state.withLock { $0.firstVersions(in: hidden.looked..<mark.versions) }
                for (version, id) in others { if let row = base.findRow(of: id) { hidden.rows.append((version, row)) } }
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
            while state.versions.count > mark.versions { state.removeLastVersion() }
            while state.terms.count > mark.terms { state.removeLastTerm() }
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

extension VersionStore {
    /// Each object's version at a mark, rows of inserts that follow each other together.
    func stretches(at mark: Mark) -> [RecordStretch] {
        var found: [RecordStretch] = []
        var start = 0
        while start < mark.versions {
            let end = min(mark.versions, start + 4_096)
            state.withLock { state in
                let versions = state.versions.span
                for place in start..<end where versions[place].next == Version.none || versions[place].next >= mark.versions {
                    found.append(versions[place].id, versions[place].record)
                }
            }
            start = end
        }
        return found
    }
}

extension VersionStore.State {
    fileprivate var mark: VersionStore.Mark { VersionStore.Mark(versions: versions.count, terms: terms.count) }

    fileprivate func newest(of id: ObjectID) -> Int32? {
        // By span: an element would be copied with its record.
        let versions = versions.span
        return newest.find(id.tableHash) { versions[Int($0)].id == id }
    }

    fileprivate func last(of term: UInt64) -> Int32? {
        let terms = terms.span
        return lastTerm.find(term) { terms[Int($0)].hash == term }
    }

    fileprivate func place(of id: ObjectID, at mark: VersionStore.Mark) -> Int? {
        guard var place = newest(of: id) else { return nil }
        while place >= mark.versions {
            place = versions[Int(place)].previous
            if place == VersionStore.Version.none { return nil }
        }
        return Int(place)
    }

    /// The first versions of objects of which an older level may have a record.
    fileprivate func firstVersions(in range: Range<Int>) -> [(version: Int, id: ObjectID)] {
        var found: [(version: Int, id: ObjectID)] = []
        let versions = versions.span
        for version in range where versions[version].previous == VersionStore.Version.none {
            if !versions[version].record.isFirst { found.append((version, versions[version].id)) }
        }
        return found
    }

    fileprivate mutating func append(_ id: ObjectID, _ record: HeldRecord) {
        let previous = newest(of: id)
        if let previous {
            let place = Int32(versions.count)
            bytes += record.bytes
            newest.replace(id.tableHash, previous, by: place)
            versions[Int(previous)].next = place
            versions.append(VersionStore.Version(id: id, record: record, previous: previous))
        } else {
            appendFirst(id, record)
        }
    }

    /// Adds the first version of an object.
    fileprivate mutating func appendFirst(_ id: ObjectID, _ record: HeldRecord) {
        let place = Int32(versions.count)
        bytes += record.bytes
        if newest.isFull {
            var table = newest.larger
            for other in versions.indices {
                table.put(versions[other].id.tableHash, Int32(other), after: versions[other].previous)
            }
            newest = table
        }
        newest.put(id.tableHash, place, after: VersionStore.Version.none)
        versions.append(VersionStore.Version(id: id, record: record, previous: VersionStore.Version.none))
    }

    fileprivate mutating func append(_ hash: UInt64, _ id: ObjectID) {
        let place = Int32(terms.count)
        guard let previous = last(of: hash) else { return appendFirst(hash, id) }
        lastTerm.replace(hash, previous, by: place)
        terms.append(VersionStore.Term(hash: hash, id: id, previous: previous))
    }

    /// Adds a term that nobody had.
    fileprivate mutating func appendFirst(_ hash: UInt64, _ id: ObjectID) {
        let place = Int32(terms.count)
        if lastTerm.isFull {
            var table = lastTerm.larger
            for (other, term) in terms.enumerated() { table.put(term.hash, Int32(other), after: term.previous) }
            lastTerm = table
        }
        lastTerm.put(hash, place, after: VersionStore.Version.none)
        terms.append(VersionStore.Term(hash: hash, id: id, previous: VersionStore.Version.none))
    }

    fileprivate mutating func removeLastVersion() {
        let place = Int32(versions.count - 1)
        let version = versions.removeLast()
        bytes -= version.record.bytes
        if version.previous == VersionStore.Version.none {
            newest.removeLast(version.id.tableHash, place)
        } else {
            newest.replace(version.id.tableHash, place, by: version.previous)
            versions[Int(version.previous)].next = VersionStore.Version.none
        }
    }

    fileprivate mutating func removeLastTerm() {
        let place = Int32(terms.count - 1)
        let term = terms.removeLast()
        if term.previous == VersionStore.Version.none {
            lastTerm.removeLast(term.hash, place)
        } else {
            lastTerm.replace(term.hash, place, by: term.previous)
        }
    }
}

extension ObjectID {
    /// Spread over all bits, for the table of one process; a peer that makes ids collide only slows down those who trust it.
    fileprivate var tableHash: UInt64 {
        let position = sequence &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(index) &* 0xD6E8_FEB8_6659_FD93
        let product = (position ^ replica.bits.low).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        return product.high ^ product.low ^ replica.bits.high
    }
}
