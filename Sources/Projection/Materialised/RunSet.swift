package import EventLog
package import Storage
import Synchronization

// Invariants
// * Of an object at most one row is unmarked, in the newest run that has it; none when its record says nothing that the applied
//   vector does not say.
// * Everything but `failure`, `recent` and `recentTerm` is constant.

/// A row of a run, by the run's place in a set.
package struct HiddenRow: Sendable, Hashable {
    package let member: Int
    package let row: Int
}

/// The runs of a projection as one level of records.
package final class RunSet: RecordLevel {
    /// A run, and those of its rows that newer ones supersede.
    package struct Member: Sendable {
        package let run: Run
        /// Of the unique keys that its rows can be found by; see ``SchemaState/keySignature(of:)``.
        package let keys: UInt64
        package var superseded = RowMarks()

        package init(_ run: Run, keys: UInt64, superseded: RowMarks = RowMarks()) {
            self.run = run
            self.keys = keys
            self.superseded = superseded
        }
    }

    /// The oldest first.
    package let members: [Member]
    /// The first read that failed: since then what was read may lack something, and nothing may be built on it.
    private let firstFailure = Mutex<StorageError?>(nil)
    /// The record that was read last: who plans a change of an object looks at it several times.
    private let recent = Mutex<(id: ObjectID, record: ObjectRecord?)?>(nil)

    /// The term that was looked up last, for the same reason.
    private let recentTerm = Mutex<(term: UInt64, found: [ObjectID])?>(nil)

    package init(_ members: [Member] = []) { self.members = members }

    package var failure: StorageError? { firstFailure.withLock { $0 } }

    package func record(_ id: ObjectID) -> ObjectRecord? {
        if let known = recent.withLock({ $0?.id == id ? $0 : nil }) { return known.record }
        return noting(nil) { () throws(StorageError) in
            let record = try place(of: id).map { place throws(StorageError) in
                try members[place.member].run.record(at: place.row)
            }
            recent.withLock { $0 = (id, record) }
            return record
        }
    }

    package func candidates(_ term: UInt64) -> [ObjectID] {
        if let known = recentTerm.withLock({ $0?.term == term ? $0 : nil }) { return known.found }
        return noting([]) { () throws(StorageError) in
            var found: [ObjectID] = []
            let probe = TermFilter.Probe(term)
            for member in members where member.run.mayHave(probe) {
                for row in try member.run.positions(withTerm: term) where !member.superseded.contains(row) {
                    found.append(try member.run.id(at: row))
                }
            }
            recentTerm.withLock { $0 = (term, found) }
            return found
        }
    }

    package func mayHave(_ term: UInt64) -> Bool {
        let probe = TermFilter.Probe(term)
        for place in members.indices where members[place].run.mayHave(probe) { return true }
        return false
    }

    package func visit(_ body: (ObjectID, ObjectRecord) -> Void) {
        for member in members {
            do { try member.run.forEachRecord(without: member.superseded, body) } catch { note(StorageError.of(error)) }
        }
    }

    package func visit(of entities: Set<WireName>, _ body: (ObjectID, ObjectRecord) -> Void) {
        for member in members {
            do { try member.run.forEachRecord(of: entities, without: member.superseded, body) } catch {
                note(StorageError.of(error))
            }
        }
    }

    package func contains(_ id: ObjectID) -> Bool { findRow(of: id) != nil }

    package func mayContain(_ range: ClosedRange<ObjectID>) -> Bool { members.contains { $0.run.mayContain(range) } }

    package func isAlive(_ id: ObjectID) -> Bool {
        noting(false) { () throws(StorageError) in
            guard let (member, row) = try place(of: id) else { return false }
            return members[member].run.isAlive(row)
        }
    }

    /// Where the row of an object is that counts.
    package func place(of id: ObjectID) throws(StorageError) -> (member: Int, row: Int)? {
        for index in members.indices.reversed() {
            if let row = try members[index].run.position(of: id), !members[index].superseded.contains(row) {
                return (index, row)
            }
        }
        return nil
    }

    /// ``place(of:)``, where a failure is remembered.
    package func findRow(of id: ObjectID) -> HiddenRow? {
        noting(nil) { () throws(StorageError) in try place(of: id).map { HiddenRow(member: $0.member, row: $0.row) } }
    }

    /// Remembers a failure of reading.
    package func note(_ error: StorageError) { firstFailure.withLock { if $0 == nil { $0 = error } } }

    private func noting<Result>(_ fallback: Result, _ body: () throws(StorageError) -> Result) -> Result {
        do throws(StorageError) { return try body() } catch {
            note(error)
            return fallback
        }
    }
}

extension StorageError {
    /// The storage's own error, or one that tells of another.
    package static func of(_ error: any Error) -> StorageError {
        error as? StorageError ?? StorageError(.other, "read or write a run", detail: "\(error)")
    }
}
