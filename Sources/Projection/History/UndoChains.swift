package import EventLog

// Invariants
// * A deed is what one transaction did to one object; of several writes to a place it has what was before the first, and the last.
// * A step back leads to an earlier stamp or a lower length, so that every walk ends, whatever the transactions say.

/// What happened to some objects since a transaction: tells whether what holds now is what that transaction wrote, put back by undos.
///
/// An undo of an undone transaction's successor puts back what was there before it. So where an undo holds, what holds in truth is what its
/// undone transaction had overwritten (SPEC.md, section 5.11).
package struct UndoChains: Sendable {
    private struct Write {
        var length: UInt32
        var isUpdate: Bool
        var old: Value?
        var overwrote: Stamp?
        var new: Value
    }

    private struct Edge: Hashable {
        var property: Property
        var target: ObjectID
    }

    private struct Deed {
        var isInsert = false
        /// The causal lengths that deletes and restores set.
        var lengths: [UInt32] = []
        var seen: [PropertyValue] = []
        var writes: [Property: Write] = [:]
        var edges: [Edge: [(ownerLength: UInt32, length: UInt32)]] = [:]

        /// The length that the object had before.
        var start: UInt32? { isInsert ? 0 : lengths.first.map { $0 &- 1 } }
    }

    private struct Place: Hashable {
        var origin: ReplicaID
        var sequence: UInt64
    }

    private let objects: Set<ObjectID>
    private var deeds: [ObjectID: [Stamp: Deed]] = [:]
    private var stamps: [Place: Stamp] = [:]
    /// What the undo with a stamp took back; nil where it said several.
    private var undone: [Stamp: Place?] = [:]

    package init(of objects: Set<ObjectID>) { self.objects = objects }

    /// Takes note of a change; those of a transaction must come in their order.
    package mutating func note(_ change: Change, stamp: Stamp) {
        if case .undo(let origin, let sequence) = change {
            let place = Place(origin: origin, sequence: sequence)
            undone[stamp] = undone[stamp] == nil ? .some(place) : .some(nil)
        }
        guard let object = change.object, objects.contains(object) else { return }
        Self.note(change, in: &deeds[object, default: [:]][stamp, default: Deed()])
    }

    /// Takes note of a transaction, all of whose changes were.
    package mutating func note(_ header: TransactionHeader) {
        stamps[Place(origin: header.origin, sequence: header.sequence)] = header.stamp
    }

    private static func note(_ change: Change, in deed: inout Deed) {
        switch change {
        case .insert(_, _, let values):
            deed.isInsert = true
            for value in values {
                deed.writes[value.property] = Write(length: 1, isUpdate: false, new: value.value)
            }
        case .restore(_, _, let length, let values):
            deed.lengths.append(length)
            for value in values {
                deed.writes[value.property] = Write(length: length, isUpdate: false, new: value.value)
            }
        case .delete(_, _, let length, let seen):
            if deed.lengths.isEmpty { deed.seen = seen }
            deed.lengths.append(length)
        case .update(_, _, let length, let assignments):
            for assignment in assignments {
                let first = deed.writes[assignment.property]
                deed.writes[assignment.property] = Write(
                    length: length, isUpdate: first?.isUpdate ?? true, old: first == nil ? assignment.old : first?.old,
                    overwrote: first == nil ? assignment.overwrote : first?.overwrote, new: assignment.new)
            }
        case .edge(_, _, let property, let target, let ownerLength, let length):
            deed.edges[Edge(property: property, target: target), default: []].append((ownerLength, length))
        case .increment, .schema, .rename, .undo, .unknown: break
        }
    }

    /// Whether a register that `held` holds under a length is what `wanted` wrote, put back.
    func stands(
        _ wanted: Stamp, at property: Property, of object: ObjectID, under length: UInt32, held: Stamp
    ) -> Bool {
        guard let deeds = deeds[object], deeds[wanted]?.writes[property] != nil else { return false }
        var (held, length) = (held, length)
        while held != wanted {
            guard let write = deeds[held]?.writes[property], write.length == length, let undone = stamp(undoneBy: held),
                let before = write.isUpdate ? undone : end(of: object, at: length &- 1, preferring: undone), before < held,
                let deed = deeds[before]
            else { return false }
            if let first = deed.writes[property] {
                guard first.isUpdate, write.new == first.old ?? .null, let next = first.overwrote, next < held else {
                    return false
                }
                (held, length) = (next, first.length)
            } else {
                // It was deleted with its values, which came back.
                guard !write.isUpdate, let start = deed.start,
                    let next = last(of: property, under: start, before: before, in: deeds),
                    next.value == deed.seen.first(where: { $0.property == property })?.value, next.value == write.new
                else { return false }
                (held, length) = (next.stamp, start)
            }
        }
        return true
    }

    /// The last write to a register among those that an earlier stamp gives.
    private func last(
        of property: Property, under length: UInt32, before stamp: Stamp, in deeds: [Stamp: Deed]
    ) -> (stamp: Stamp, value: Value)? {
        var last: (stamp: Stamp, value: Value)?
        for (other, deed) in deeds where other < stamp && last.map({ $0.stamp < other }) ?? true {
            guard let write = deed.writes[property], write.length == length else { continue }
            last = (other, write.new)
        }
        return last
    }

    /// The transactions whose undos made `length` of what was `earlier`, the last first; nil when it was not undos alone.
    func undone(from earlier: UInt32, to length: UInt32, of object: ObjectID) -> [Stamp]? {
        guard let deeds = deeds[object] else { return nil }
        var passed: [Stamp] = []
        var length = length
        while length != earlier {
            var start: UInt32?
            for (stamp, deed) in deeds where deed.lengths.contains(length) || (length == 1 && deed.isInsert) {
                guard deed.lengths == [length], let before = self.stamp(undoneBy: stamp), let first = deeds[before]?.start,
                    first < length, start ?? first == first
                else { return nil }
                start = first
                passed.append(before)
            }
            guard let start else { return nil }
            length = start
        }
        return passed
    }

    /// Whether an edge is as it was when it had another length, for undos alone made it what it is.
    func stands(
        _ property: Property, to target: ObjectID, of object: ObjectID,
        since wanted: (ownerLength: UInt32, length: UInt32), held: (ownerLength: UInt32, length: UInt32)
    ) -> Bool {
        guard let deeds = deeds[object] else { return false }
        let edge = Edge(property: property, target: target)
        var held = held
        if held.length == 0, held.ownerLength != wanted.ownerLength {
            // It was not there when the owner was deleted, so it did not come back with it.
            guard undone(from: wanted.ownerLength, to: held.ownerLength, of: object) != nil else { return false }
            let lengths = deeds.values.flatMap { $0.edges[edge] ?? [] }
            held = (wanted.ownerLength, lengths.filter { $0.ownerLength == wanted.ownerLength }.map(\.length).max() ?? 0)
        }
        while held != wanted {
            var start: (ownerLength: UInt32, length: UInt32)?
            for (stamp, deed) in deeds {
                guard deed.edges[edge]?.contains(where: { $0 == held }) ?? false else { continue }
                guard let before = self.stamp(undoneBy: stamp), let first = deeds[before]?.edges[edge]?.first,
                    start.map({ $0 == (first.ownerLength, first.length &- 1) }) ?? true,
                    (first.ownerLength, first.length &- 1) < held
                else { return false }
                start = (first.ownerLength, first.length &- 1)
            }
            guard let start else { return false }
            held = start
        }
        return true
    }

    /// The row that an object had when a causal length ended it, and the edges that ended with it; nil when that is not known.
    func row(of object: ObjectID, endedAt length: UInt32) -> (seen: [PropertyValue], edges: [(Property, ObjectID)])? {
        guard let stamp = end(of: object, at: length), let deed = deeds[object]?[stamp] else { return nil }
        let ended = deed.edges.filter { $0.value.last?.length.isMultiple(of: 2) ?? false }.keys
        let edges = ended.sorted { ($0.property, $0.target) < ($1.property, $1.target) }
        return (deed.seen, edges.map { ($0.property, $0.target) })
    }

    /// The transaction that set a causal length; of several, the one that is preferred.
    private func end(of object: ObjectID, at length: UInt32, preferring stamp: Stamp? = nil) -> Stamp? {
        let ends = deeds[object]?.filter { $0.value.lengths.contains(length) }.keys ?? [:].keys
        if let stamp, ends.contains(stamp) { return stamp }
        return ends.count == 1 ? ends.first : nil
    }

    /// The transaction that the one with `stamp` took back.
    private func stamp(undoneBy stamp: Stamp) -> Stamp? { (undone[stamp] ?? nil).flatMap { stamps[$0] } }
}
